import { z } from "@hono/zod-openapi"
import { id, optional } from "../../lib/input/input.ts"

/** Whose data: the caller's own, unless another user is named. */
export const personalDataExport = z
  .object({
    userId: optional(id()).openapi({ type: "integer", description: "Defaults to the caller" }),
  })
  .openapi("PersonalDataExport")
