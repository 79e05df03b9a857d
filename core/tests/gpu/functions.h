/* All functions that follow run on a GPU: what GB_FN may say of those in the header, said of the others too. */
#pragma clang force_cuda_host_device begin
