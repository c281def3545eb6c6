import { z } from "@hono/zod-openapi"
import { KEY_ACCESS, KEY_SCOPES } from "../../../drizzle/schema/api-keys.ts"

const namedRecord = z.object({ id: z.number().int(), name: z.string() })

export const me = z
  .object({
    kind: z.enum(["user", "key"]),
    id: z.number().int().openapi({ description: "The user's id, or the API key's" }),
    name: z.string(),
    email: z.string().nullable().openapi({ description: "null: a key has none" }),
    role: z.string(),
    scope: z.object({
      access: z.enum(KEY_ACCESS),
      families: z
        .array(z.string())
        .nullable()
        .openapi({ description: "The families of operations that the caller may use; null: all" }),
      scopes: z
        .array(z.enum(KEY_SCOPES))
        .openapi({ description: "Special permissions of an API key beyond its role; empty for users" }),
      sees: z.enum(["everyone", "members", "itself", "nobody"]).openapi({
        description:
          "Whose records are visible: everyone's, those of members of the groups and portals, the caller's own, none",
      }),
      groups: z.array(namedRecord).openapi({ description: "The groups that the caller administers" }),
      portals: z.array(namedRecord).openapi({ description: "The portals that the caller administers" }),
    }),
    expiresAt: z
      .string()
      .nullable()
      .openapi({ format: "date-time", description: "When the token or the key expires; null: never" }),
    timeZone: z.string().nullable().openapi({ description: "The user's IANA time zone; null: the academy's" }),
    academyTimeZone: z.string().openapi({ description: "The time zone of users who have not set their own" }),
    language: z.string().nullable().openapi({ description: "The user's language; null: the academy's" }),
    unreadNotifications: z
      .number()
      .int()
      .openapi({ description: "The number of unread notifications, 100 at most; 0 for API keys" }),
    academy: z.string().openapi({ description: "The academy's name as shown on pages and in emails" }),
    academyLogoUrl: z.string().nullable().openapi({ description: "The URL of the academy's logo; null: none" }),
  })
  .openapi("Me")
