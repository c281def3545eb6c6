import { part } from "../part.tsx"

/** Writes a message to people. Other areas use it too. */
export const MessageDialog = part("teaching", () => import("./message-dialog.tsx"))

/** Reminds people, or extends their due dates. */
export const DueActionDialog = part("compliance", async () => ({
  default: (await import("../compliance/due-actions.tsx")).DueActionDialog,
}))

/** The tabs of a course and of a class for teachers. */
export const Gradebook = part("teaching", () => import("./gradebook.tsx"))
export const AtRisk = part("teaching", () => import("./at-risk.tsx"))
export const ClassAttendance = part("teaching", () => import("./attendance.tsx"))
