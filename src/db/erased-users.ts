import { type SQLWrapper, sql } from "drizzle-orm"
import { erasures } from "../../drizzle/schema/erasures.ts"
import { conflict } from "../lib/errors.ts"

// Erased users are never changed and get nothing new: triggers refuse it (drizzle/triggers/erased-users.ts).

export const ERASED_MESSAGE = "The user was erased: the account cannot be changed or restored."

/** The error of a batch that changes an erased user or gives them something. */
export const erasedError = () => conflict("user_erased", `${ERASED_MESSAGE} Create a new user.`)

export const isErased = (userId: SQLWrapper) =>
  sql<boolean>`exists (select 1 from ${erasures} where ${erasures.userId} = ${userId})`.mapWith(Boolean)
