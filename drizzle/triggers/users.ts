import { userSources, users } from "../schema/users.ts"
import { changed, decrement, increment, rowCounter, searchIndex, trigger } from "./declare.ts"

/** The counter of users created on a day in UTC: `users:day:2026-11-21`. */
const dayCounterKey = (row: "old" | "new") => `'users:day:' || date(${row}.created_at / 1000, 'unixepoch')`

/** The users that an identity provider deleted: see `isDeprovisioned` of src/modules/users. */
const DEPROVISIONED = "'users:' || 'deprovisioned'"
const isDeprovisioned = (row: "old" | "new") => `(${row}.deprovisioned AND ${row}.disabled)`

/** When credentials change, pending links, temporary passwords and email changes are deleted. */
const CREDENTIALS_CHANGED = `
  old.password_hash IS NOT new.password_hash
  OR old.email <> new.email
  OR new.disabled`

export const userTriggers = [
  ...searchIndex(users),
  trigger("users_counted_by_day", { on: users, after: "insert" }, increment(dayCounterKey("new"))),
  trigger("users_uncounted_by_day", { on: users, after: "delete" }, decrement(dayCounterKey("old"))),
  trigger(
    "users_recounted_by_day",
    { on: users, after: "update", of: [users.createdAt], if: changed(users.createdAt) },
    decrement(dayCounterKey("old")),
    increment(dayCounterKey("new")),
  ),
  trigger(
    "users_credentials_changed",
    { on: users, after: "update", of: [users.passwordHash, users.email, users.disabled], if: CREDENTIALS_CHANGED },
    "DELETE FROM password_links WHERE user_id = new.id",
    "DELETE FROM temporary_passwords WHERE user_id = new.id",
    "DELETE FROM pending_emails WHERE user_id = new.id",
  ),
  trigger(
    "users_deprovisioned",
    {
      on: users,
      after: "update",
      of: [users.deprovisioned, users.disabled],
      if: `${isDeprovisioned("new")} AND NOT ${isDeprovisioned("old")}`,
    },
    increment(DEPROVISIONED),
  ),
  trigger(
    "users_provisioned_again",
    {
      on: users,
      after: "update",
      of: [users.deprovisioned, users.disabled],
      if: `${isDeprovisioned("old")} AND NOT ${isDeprovisioned("new")}`,
    },
    decrement(DEPROVISIONED),
  ),
  trigger(
    "users_deprovisioned_deleted",
    { on: users, after: "delete", if: isDeprovisioned("old") },
    decrement(DEPROVISIONED),
  ),
  ...rowCounter(userSources),
]
