export type { ClientOptions, ExportedFile, LecternClient } from "./client.ts"
export { createClient, VERSION } from "./client.ts"
export type { ClientCode } from "./errors.ts"
export { LecternError } from "./errors.ts"
export type { EventFeed, EventOptions, EventPage } from "./events.ts"
export type { Hooks } from "./hooks.ts"
export type { JobOptions } from "./jobs.ts"
export type { List, ListPage } from "./lists.ts"
export type { Fetch, RetryOptions } from "./send.ts"
export { createIdempotencyKey } from "./send.ts"
export type { OAuthClient, OnTokens, SignedInUser, SignIn, Tokens } from "./session.ts"
export type {
  ApiResponse,
  DataOf,
  EventPattern,
  EventType,
  ExportPath,
  LecternEvent,
  ListPath,
  RawInit,
  RecordOf,
  Schemas,
} from "./types.ts"
export type { WebhookHandlerOptions } from "./webhook-handlers.ts"
export { expressWebhook, handleWebhook, honoWebhook } from "./webhook-handlers.ts"
export { verifyWebhook, WebhookError } from "./webhooks.ts"
