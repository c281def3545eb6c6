import { displayDate } from "../../lib/dates.ts"
import { demandedVersion, tag } from "../../lib/etag.ts"
import { listAnswer } from "../../lib/list.ts"
import { createApp, operation } from "../../lib/operation.ts"
import { created, deletion, message } from "../../lib/records.ts"
import {
  createMembership,
  deleteMemberships,
  getMembership,
  listMemberships,
  updateMembership,
} from "./memberships.queries.ts"
import * as schemas from "./memberships.schemas.ts"

export const memberships = createApp()

type MembershipRow = Awaited<ReturnType<typeof listMemberships>>["rows"][number]

const toMembership = (row: MembershipRow) => ({
  id: row.id,
  name: row.name,
  expiresAfterDays: row.expiresAfterDays || null,
  created_at: displayDate(row.createdAt),
})

memberships.openapi(
  operation({
    method: "post",
    path: "/api/membership/create",
    summary: "Create a membership",
    tag: "Memberships",
    access: "admin",
    extension: true,
    body: schemas.newMembership,
    answer: created,
  }),
  async (c) => c.json(await createMembership(c.var.work, c.req.valid("json")), 200),
)

memberships.openapi(
  operation({
    method: "get",
    path: "/api/membership/tabularlist",
    summary: "List memberships",
    tag: "Memberships",
    access: "staff",
    extension: true,
    query: schemas.membershipListQuery,
    answer: schemas.membershipList,
  }),
  async (c) => c.json(listAnswer(c, await listMemberships(c.var.db, c.req.valid("query")), toMembership), 200),
)

memberships.openapi(
  operation({
    method: "get",
    path: "/api/membership/{id}",
    summary: "Read a membership",
    tag: "Memberships",
    access: "staff",
    extension: true,
    record: true,
    answer: schemas.membership,
  }),
  async (c) => {
    const found = await getMembership(c.var.db, c.req.valid("param").id)
    const answer = toMembership(found)
    tag(c, found.version, answer)
    return c.json(answer, 200)
  },
)

memberships.openapi(
  operation({
    method: "put",
    path: "/api/membership/{id}",
    summary: "Change a membership",
    tag: "Memberships",
    access: "admin",
    extension: true,
    body: schemas.membershipChanges,
    answer: message,
    errors: [412],
  }),
  async (c) =>
    c.json(await updateMembership(c.var.work, c.req.valid("param").id, c.req.valid("json"), demandedVersion(c)), 200),
)

memberships.openapi(
  operation({
    method: "post",
    path: "/api/membership/delete",
    summary: "Delete memberships",
    description: "One that a user holds is kept.",
    tag: "Memberships",
    access: "admin",
    extension: true,
    body: deletion,
    answer: message,
  }),
  async (c) => c.json(await deleteMemberships(c.var.work, c.req.valid("json").delete_ids), 200),
)
