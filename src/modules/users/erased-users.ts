import { type SQLWrapper, sql } from "drizzle-orm"
import { ERASED_IS_FINAL, erasures } from "../../../drizzle/schema/erasures.ts"
import { conflict } from "../../lib/errors.ts"

export const ERASED_MESSAGE = "The user was erased: the account cannot be changed or restored."

/** The errors of commits that change users: the database refuses changes of erased ones. */
export const ERASED_REFUSED = {
  [ERASED_IS_FINAL]: () => conflict("user_erased", `${ERASED_MESSAGE} Create a new user.`),
}

export const isErased = (userId: SQLWrapper) =>
  sql<boolean>`exists (select 1 from ${erasures} where ${erasures.userId} = ${userId})`.mapWith(Boolean)
