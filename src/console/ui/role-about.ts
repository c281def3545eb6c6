import { ROLES } from "../../lib/caller.ts"
import { t } from "../messages/messages.ts"

/** What a role may do. Portal administrators, such as `portal_admin`, are administrators of a portal. */
export const roleAbout = (type: string): string =>
  t(`role.about.${ROLES.some((role) => role === type) ? type : "portal_admin"}`)
