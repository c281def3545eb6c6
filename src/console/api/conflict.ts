import { LecternError } from "../../client/index.ts"

export const PRECONDITION_FAILED = 412

/**
 * Sends a change. If someone else changed the record (412), refetches it and rethrows: unedited fields then show the
 * stored values, and edited fields keep their input, which can be sent again.
 */
export async function refetchOnConflict<Output>(
  send: () => Promise<Output>,
  refetch: () => Promise<unknown>,
): Promise<Output> {
  try {
    return await send()
  } catch (failure) {
    if (failure instanceof LecternError && failure.status === PRECONDITION_FAILED) await refetch()
    throw failure
  }
}
