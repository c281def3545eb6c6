import type { Caller } from "../../lib/caller.ts"
import { displayDate, isoTime, isoTimeOrNull, relativeTime } from "../../lib/text/dates.ts"
import { toCustomUserMetas } from "./custom-field-values.ts"
import { toUserDetail } from "./user-fields.ts"
import type { getUser } from "./users.queries.ts"

/** A user's details as responses have them. */
export const toUserAnswer = (user: Awaited<ReturnType<typeof getUser>>, caller: Caller) => ({
  id: user.id,
  ...toUserDetail(user, caller),
  externalId: user.externalId,
  externalIds: user.externalIds,
  lastLoggedIn: relativeTime(user.lastLoginAt),
  lastLoginAt: isoTimeOrNull(user.lastLoginAt),
  createdAt: isoTime(user.createdAt),
  updatedAt: isoTime(user.updatedAt),
  currentLoggedUserType: caller.userType,
  membership:
    user.activeMembershipId === null
      ? null
      : {
          id: user.activeMembershipId,
          name: user.membershipName ?? "",
          expiryDate: user.membershipExpiresAt === null ? null : displayDate(user.membershipExpiresAt),
          expiresAt: isoTimeOrNull(user.membershipExpiresAt),
        },
  customUserMetas: toCustomUserMetas(user.metas),
  pendingEmail: user.pendingEmail,
})
