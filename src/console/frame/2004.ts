import * as scorm from "scorm-again/scorm2004/min"
import { runPackage } from "./frame.ts"

// The types of scorm-again declare a default export that the module does not have.
const { Scorm2004API } = scorm as object as { Scorm2004API: Parameters<typeof runPackage<"Terminate">>[0]["Runtime"] }

runPackage({ Runtime: Scorm2004API, globalName: "API_1484_11", setEvent: "SetValue", terminate: "Terminate" })
