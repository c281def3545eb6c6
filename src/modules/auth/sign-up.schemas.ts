import { z } from "@hono/zod-openapi"
import { email, line, name, optional } from "../../lib/input/input.ts"
import { metaValues } from "../users/custom-fields.schemas.ts"
import { newOwnPassword } from "./passwords.schemas.ts"

export const signUp = z
  .object({ firstName: name(), lastName: optional(line(100)), email: email(), customUserMetas: metaValues() })
  .openapi("SignUp")
export type SignUp = z.output<typeof signUp>

/** The token of the link and the password to set. */
export const confirmation = newOwnPassword
