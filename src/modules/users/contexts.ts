import { z } from "@hono/zod-openapi"
import { word } from "../../lib/input/input.ts"
import { userType } from "./user-types.ts"

// Some lists take a `context` that names the caller's role and selects the records to return.

const SELF_CONTEXTS = ["user", "learner", "student", "general"]

/** `own`: the caller's records. `all`: every record that the caller can see. */
export type Context = "own" | "all"

const toContext = (input: string): string => {
  if (SELF_CONTEXTS.includes(input.trim().toLowerCase())) return "own"
  return userType().safeParse(input).success ? "all" : input
}

/** A context as clients send it: a user type, `user` or `student`. */
export const context = () =>
  word(
    toContext,
    z.custom<Context>((value) => value === "own" || value === "all", {
      error: "must be a user type, user or student",
    }),
  ).openapi({ type: "string", example: "admin" })
