import { z } from "@hono/zod-openapi"
import { ExportStatus, JobStatus } from "../statuses.ts"
import { boolean, described, field, integer, nullable, text, texts, time, timeOrNull, userOf, uuid } from "./fields.ts"
import { eventObject } from "./object.ts"

export const announcementEvents = eventObject({
  name: "Announcement",
  table: "announcements",
  fields: {
    id: integer("id"),
    heading: text("heading"),
    sendingRules: described(text("sending_rules"), "all, specific_users or specific_course_users"),
    author: nullable(userOf("row.author_id")),
    expiresAt: timeOrNull("expires_at"),
    createdAt: time("created_at"),
  },
  userId: "author_id",
  previous: ["heading", "sendingRules", "expiresAt"],
  watched: ["version"],
  types: {
    "announcement.created": { meaning: "An announcement was created", insert: true },
    "announcement.updated": { meaning: "An announcement changed", update: true },
    "announcement.deleted": { meaning: "An announcement was deleted", delete: true, onlyIds: true },
  },
})

const job = { user: nullable(userOf("row.caller_id")), expiresAt: time("expires_at") }

const isImportEnded = `new.status = '${JobStatus.Completed}'`
const importFailed = `${isImportEnded} AND new.failed = new.rows`
const importCompleted = `${isImportEnded} AND new.failed < new.rows`

export const importEvents = eventObject({
  name: "Import",
  table: "bulk_uploads",
  fields: {
    id: described(integer("id"), "The upload_id"),
    user: job.user,
    rows: integer("rows"),
    created: integer("created"),
    existing: integer("existing"),
    failed: integer("failed"),
  },
  userId: "caller_id",
  watched: ["status"],
  types: {
    "import.failed": {
      meaning: "A bulk upload ended without a user: every row failed",
      insert: importFailed,
      update: importFailed,
    },
    "import.completed": {
      meaning: "Every row of a bulk upload was processed, and some have a user",
      insert: importCompleted,
      update: importCompleted,
    },
  },
})

const exportReaches = (status: string) => `new.status = '${status}'`

export const exportEvents = eventObject({
  name: "Export",
  table: "export_jobs",
  fields: {
    id: uuid("id"),
    kind: text("kind"),
    filename: text("filename"),
    status: text("status"),
    ...job,
  },
  userId: "caller_id",
  watched: ["status"],
  types: {
    "export.completed": {
      meaning: "The file of an export can be downloaded",
      update: exportReaches(ExportStatus.Completed),
    },
    "export.failed": { meaning: "An export failed", update: exportReaches(ExportStatus.Failed) },
  },
})

export const apiKeyEvents = eventObject({
  name: "ApiKey",
  table: "api_keys",
  fields: {
    id: integer("id"),
    name: text("name"),
    role: text("role"),
    access: text("access"),
    expiresAt: timeOrNull("expires_at"),
    createdAt: time("created_at"),
  },
  userId: "created_by",
  previous: ["name", "role", "access", "expiresAt"],
  watched: ["generation", "families", "scopes"],
  types: {
    "api_key.created": { meaning: "An API key was created", insert: true },
    "api_key.rotated": { meaning: "An API key got a new secret", update: "old.generation <> new.generation" },
    "api_key.updated": { meaning: "A field of an API key changed", update: true },
    "api_key.revoked": { meaning: "An API key was revoked", delete: true, onlyIds: true },
  },
})

/** `originOf` as SQL: the URL starts with `http://` or `https://` and its path with a slash. */
const ORIGIN = "substr(row.url, 1, 7 + instr(substr(row.url, 9), '/'))"

export const webhookEvents = eventObject({
  name: "Webhook",
  table: "webhooks",
  fields: {
    id: integer("id"),
    url: field(z.string().openapi({ description: "The origin of its URL: the rest may be a secret" }), ORIGIN),
    events: texts("events"),
    enabled: boolean("enabled"),
    createdAt: time("created_at"),
  },
  previous: ["enabled"],
  watched: ["url", "events"],
  types: {
    "webhook.created": { meaning: "A webhook was created", insert: true },
    "webhook.disabled": { meaning: "A webhook was disabled", update: "old.enabled AND NOT new.enabled" },
    "webhook.updated": { meaning: "A webhook changed", update: true },
    "webhook.deleted": { meaning: "A webhook was deleted", delete: true, onlyIds: true },
    // `POST /api/webhook/test` writes it.
    "webhook.test": { meaning: "A webhook was tested" },
  },
})

export const ssoProviderEvents = eventObject({
  name: "SsoProvider",
  table: "sso_providers",
  fields: {
    id: integer("id"),
    name: text("name"),
    slug: text("slug"),
    portalId: nullable(integer("portal_id")),
    active: boolean("active"),
    createdAt: time("created_at"),
  },
  previous: ["name", "slug", "portalId", "active"],
  watched: ["version"],
  types: {
    "sso_provider.created": { meaning: "A sign-in provider was created", insert: true },
    "sso_provider.updated": { meaning: "A sign-in provider changed", update: true },
    "sso_provider.deleted": { meaning: "A sign-in provider was deleted", delete: true, onlyIds: true },
  },
})
