import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { DataOf } from "../../client/index.ts"
import { type Access, canChangeUserOfType, hasRole } from "../../lib/caller.ts"

/** The signed-in user. */
export type Me = DataOf<"/api/me", "get">

export const MeContext = createContext<Me | undefined>(undefined)

export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error("useMe must be used within MeContext")
  return me
}

/** Whether the console offers what needs this role. The API checks every call. */
export const hasAccess = (me: Me, access: Access): boolean => hasRole({ kind: "user", userType: me.role }, access)

/** Whether the caller may change or delete users of this type. */
export const canEditUser = (me: Me, userType: string): boolean =>
  canChangeUserOfType({ kind: "user", userType: me.role }, userType)
