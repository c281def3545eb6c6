import { part } from "../part.tsx"

/** The tabs of a course and of a class for teachers. */
export const Gradebook = part("teaching", () => import("./gradebook.tsx"))
export const AtRisk = part("teaching", () => import("./at-risk.tsx"))
export const ClassAttendance = part("teaching", () => import("./attendance.tsx"))
