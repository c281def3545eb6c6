import { ROLES } from "../../lib/caller.ts"
import { t } from "../messages/messages.ts"

/** Portal administrators have a type for each portal. */
const keyOf = (type: string) => (ROLES.some((role) => role === type) ? type : "portal_admin")

/** The name of a role. */
export const roleName = (type: string): string => t(`role.${keyOf(type)}`)

/** What a role may do. */
export const roleAbout = (type: string): string => t(`role.about.${keyOf(type)}`)
