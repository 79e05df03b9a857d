"""The dynamic Bayesian network of L09 chapter 5: learn which numbers depend on which, and unroll it into motions."""
