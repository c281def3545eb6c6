import type { Schemas } from "../../../client/index.ts"

type Scope = NonNullable<Schemas["NewApiKey"]["families"]>[number]

/** The operation groups of the API. The type checks that none is missing. */
const IS_SCOPE: Record<Scope, true> = {
  Sessions: true,
  "API keys": true,
  "Two-factor authentication": true,
  "Single sign-on": true,
  Users: true,
  "Custom fields": true,
  Addresses: true,
  "Bulk upload": true,
  Consents: true,
  "User sources": true,
  Groups: true,
  Portals: true,
  Locations: true,
  Categories: true,
  Courses: true,
  Modules: true,
  "Assignment modules": true,
  "Learning paths": true,
  "Assignment rules": true,
  "Learning data": true,
  Classes: true,
  Webinars: true,
  "Class reports": true,
  Reports: true,
  Exports: true,
  "Certificate templates": true,
  Certificates: true,
  Badges: true,
  Announcements: true,
  Reviews: true,
  Memberships: true,
  Orders: true,
  Subscriptions: true,
  Carts: true,
  Cards: true,
  Webhooks: true,
  "Audit log": true,
  Events: true,
  Operating: true,
  "Credential provider": true,
}

export const SCOPES = Object.keys(IS_SCOPE) as Scope[]
