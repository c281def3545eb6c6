import { part } from "../part.tsx"

/** Writes a message to people. Other areas use it too. */
export const MessageDialog = part("teaching", () => import("./message-dialog.tsx"))

/** Reminds people, or extends their due dates. */
export const DueActionDialog = part("compliance", async () => ({
  default: (await import("../compliance/due-actions.tsx")).DueActionDialog,
}))
