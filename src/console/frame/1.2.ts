import * as scorm from "scorm-again/scorm12/min"
import { runPackage } from "./frame.ts"

// The types of scorm-again have a default export, which its module has not.
const { Scorm12API } = scorm as object as { Scorm12API: Parameters<typeof runPackage<"LMSFinish">>[0]["Runtime"] }

runPackage({ Runtime: Scorm12API, member: "API", set: "LMSSetValue", end: "LMSFinish" })
