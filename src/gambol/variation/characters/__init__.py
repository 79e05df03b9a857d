"""Fill characters' behaviors with variants [L09 chapter 6]."""
