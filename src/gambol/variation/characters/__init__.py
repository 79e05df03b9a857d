"""Characters whose behaviors are filled with variants [L09 chapter 6]."""
