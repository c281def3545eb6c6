import type { Schemas } from "../../../client/index.ts"
import { store } from "../store.ts"

/** The progress of this device that the API has not received yet. */
export const waitingReports = store<readonly Schemas["Progress"][]>([])
