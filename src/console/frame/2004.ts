import * as scorm from "scorm-again/scorm2004/min"
import { runPackage } from "./frame.ts"

// The types of scorm-again have a default export, which its module has not.
const { Scorm2004API } = scorm as object as { Scorm2004API: Parameters<typeof runPackage<"Terminate">>[0]["Runtime"] }

runPackage({ Runtime: Scorm2004API, member: "API_1484_11", set: "SetValue", end: "Terminate" })
