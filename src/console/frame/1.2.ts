import * as scorm from "scorm-again/scorm12/min"
import { runPackage } from "./frame.ts"

// The types of scorm-again declare a default export that the module does not have.
const { Scorm12API } = scorm as object as { Scorm12API: Parameters<typeof runPackage<"LMSFinish">>[0]["Runtime"] }

runPackage({ Runtime: Scorm12API, globalName: "API", setEvent: "LMSSetValue", terminate: "LMSFinish" })
