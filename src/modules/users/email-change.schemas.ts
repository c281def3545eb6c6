import { z } from "@hono/zod-openapi"

export const emailConfirmation = z.object({
  token: z.string().min(1).max(200).openapi({ description: "The token of the link" }),
})
