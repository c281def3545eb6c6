import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { DataOf } from "../../client/index.ts"
import { type Access, canChangeUserOfType, hasRole } from "../../lib/caller.ts"

/** Who is signed in, as the service tells it. */
export type Me = DataOf<"/api/me", "get">

export const MeContext = createContext<Me | undefined>(undefined)

export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error("useMe stands outside of the signed-in console")
  return me
}

/** May they do what asks for this role? What the console offers; the service decides at each call. */
export const may = (me: Me, least: Access): boolean => hasRole({ kind: "user", userType: me.role }, least)

/** May they change or delete a user of this type? */
export const mayEdit = (me: Me, userType: string): boolean =>
  canChangeUserOfType({ kind: "user", userType: me.role }, userType)
