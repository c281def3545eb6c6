import { z } from "@hono/zod-openapi"
import { word } from "../../lib/input/input.ts"
import { userType } from "./user-types.ts"

// The interface's lists of what people do take a `context`, such as admin: who asks, and so about whom.

const OWN = ["user", "learner", "student", "general"]

/** `own`: what is the caller's. `all`: what the caller may see. */
export type Context = "own" | "all"

const meaningOf = (given: string): string => {
  if (OWN.includes(given.trim().toLowerCase())) return "own"
  return userType().safeParse(given).success ? "all" : given
}

/** A context as clients give it: a user type, or `user` or `student`. */
export const context = () =>
  word(
    meaningOf,
    z.custom<Context>((meaning) => meaning === "own" || meaning === "all", {
      error: "must be admin, user or another user type",
    }),
  ).openapi({ type: "string", example: "admin" })
