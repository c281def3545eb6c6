export type { ClientOptions, ExportedFile, LecternClient } from "./client.ts"
export { createClient } from "./client.ts"
export type { ClientCode } from "./errors.ts"
export { LecternError } from "./errors.ts"
export type { EventFeed, EventOptions, EventPage } from "./events.ts"
export type { JobOptions } from "./jobs.ts"
export type { List, ListPage } from "./lists.ts"
export type { Fetch, RetryOptions } from "./send.ts"
export type { OAuthClient, OnTokens, SignedInUser, SignIn, Tokens } from "./session.ts"
export type {
  ApiResponse,
  DataOf,
  EventType,
  ExportPath,
  LecternEvent,
  ListPath,
  RawInit,
  RecordOf,
  Schemas,
} from "./types.ts"
export { verifyWebhook, WebhookError } from "./webhooks.ts"
