"""What backs the claims: reproductions of papers, benchmarks, soaks, a study."""
