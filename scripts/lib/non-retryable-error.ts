/** An error that a retry cannot fix. */
export class NonRetryableError extends Error {}
