"""The dynamic Bayesian network of L09 chapter 5: which numbers go by which, learned and unrolled."""
