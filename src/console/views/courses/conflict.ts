import { LecternError } from "../../../client/index.ts"

export const PRECONDITION_FAILED = 412

/**
 * Sends a change. Where somebody else was quicker, the record is read anew and the failure goes on: fields that were
 * not touched then show what is there, and those that were keep what was written, to be sent again.
 */
export async function unlessChanged<Done>(send: () => Promise<Done>, reread: () => Promise<unknown>): Promise<Done> {
  try {
    return await send()
  } catch (failure) {
    if (failure instanceof LecternError && failure.status === PRECONDITION_FAILED) await reread()
    throw failure
  }
}
