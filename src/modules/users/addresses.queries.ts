import { and, eq, getTableColumns, sql } from "drizzle-orm"
import { type AddressType, addresses } from "../../../drizzle/schema/addresses.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser, guardUserExists, selectVisibleUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { changedFields, requireVersion, updateRecord } from "../../db/records.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { forbidden, invalid, notFound } from "../../lib/errors.ts"
import { addressColumns, addressFields } from "./address-fields.ts"
import type { AddressChanges, NewAddress } from "./addresses.schemas.ts"

function requireChange(caller: Caller, owner: { id: number; userType: string }) {
  if (owner.id !== caller.id && !canChangeUserOfType(caller, owner.userType))
    throw forbidden("Your role does not allow you to change this user's addresses.")
}

function requireOwner(userId: number | undefined, owner: number) {
  if (userId !== undefined && userId !== owner)
    throw invalid("userId", `userId must be ${owner}, whose address it is, or be left out.`)
}

/**
 * Only a shipping address belongs to a billing address.
 * @param billing the user's billing address that the call names
 * @throws 422
 */
function requireBilling(type: AddressType, billing: { userId: number } | undefined, userId: number) {
  if (type === "billing")
    throw invalid("billing_address_id", "billing_address_id applies to shipping addresses only. Remove it.")
  if (billing?.userId !== userId)
    throw invalid("billing_address_id", "billing_address_id must name a billing address of the same user.")
}

/** The billing address that has the id. */
const billingAddress = (db: Database, id: number | null | undefined) =>
  db
    .select({ userId: addresses.userId })
    .from(addresses)
    .where(and(eq(addresses.id, id ?? 0), eq(addresses.type, "billing")))

/** Makes room for another default: run before the address that becomes it is written. */
const noLongerDefault = (db: Database, userId: number, type: AddressType) =>
  db
    .update(addresses)
    .set({ isDefault: false, version: sql`${addresses.version} + 1` })
    .where(and(eq(addresses.userId, userId), eq(addresses.type, type), eq(addresses.isDefault, true)))

/** @throws 404 for an unknown user, 403, 409 for an erased one, 422 for another user's billing address */
export async function addAddress(work: UnitOfWork, userId: number, input: NewAddress) {
  const { db, caller } = work
  const { type = "billing", isDefault, billing_address_id } = input
  const [given, owners, billing] = await work.read([
    work.nextIds("addresses"),
    selectVisibleUser(db, caller, userId),
    billingAddress(db, billing_address_id),
  ])
  const [owner] = owners
  if (!owner) throw notFound("user")
  requireChange(caller, owner)
  if (billing_address_id !== undefined) requireBilling(type, billing[0], userId)

  const id = firstRow(given).last
  return work.commit(
    [
      guardUserExists(work, userId),
      ...(isDefault ? [noLongerDefault(db, userId, type)] : []),
      db.insert(addresses).values({
        ...addressFields.toInsert(input),
        id,
        userId,
        type,
        createdAt: now(),
      }),
      work.audit("created", "address", { id, name: input.fullName }, { userId, type, isDefault }),
    ],
    { message: "Address added." },
    { status: 201 },
  )
}

/** A user's addresses of a type, the default first. @throws 404 outside the caller's scope */
export async function listAddresses(db: Database, caller: Caller, userId: number, type: AddressType) {
  const [owners, rows] = await db.batch([
    selectVisibleUser(db, caller, userId),
    db
      .select(addressColumns.fields)
      .from(addresses)
      .where(and(eq(addresses.userId, userId), eq(addresses.type, type)))
      .orderBy(sql`${addresses.isDefault} desc`, addresses.id),
  ])
  if (owners.length === 0) throw notFound("user")
  return rows
}

/** @throws 404 for an unknown user, and for one without a default of the type */
export async function getDefaultAddress(db: Database, caller: Caller, userId: number, type: AddressType) {
  const [rows] = await db.batch([
    db
      .select({ ...addressColumns.fields, version: addresses.version })
      .from(addresses)
      .where(
        and(
          eq(addresses.userId, userId),
          eq(addresses.type, type),
          eq(addresses.isDefault, true),
          canSeeUser(caller, addresses.userId),
        ),
      ),
  ])
  const [found] = rows
  if (!found) throw notFound(`default ${type} address`)
  return found
}

/** @throws 404 outside the caller's scope */
export async function getAddress(db: Database, caller: Caller, id: number) {
  const [rows] = await db.batch([
    db
      .select({ ...addressColumns.fields, version: addresses.version })
      .from(addresses)
      .where(and(eq(addresses.id, id), canSeeUser(caller, addresses.userId))),
  ])
  const [found] = rows
  if (!found) throw notFound("address")
  return found
}

/** Changes the given fields of an address and leaves the others. @throws 404, 403, 412, 422 */
export async function updateAddress(work: UnitOfWork, id: number, changes: AddressChanges, demanded?: number) {
  const { db, caller } = work
  const [rows, billing] = await work.read([
    db
      .select({ ...getTableColumns(addresses), ownerType: sql<string>`${users.userType}`.as("owner_type") })
      .from(addresses)
      .innerJoin(users, eq(users.id, addresses.userId))
      .where(and(eq(addresses.id, id), canSeeUser(caller, addresses.userId))),
    billingAddress(db, changes.billing_address_id),
  ])
  const { ownerType, ...address } = requireVersion(rows, "address", demanded)
  const { userId, type } = address
  requireChange(caller, { id: userId, userType: ownerType })
  requireOwner(changes.userId, userId)
  if (changes.type && changes.type !== type)
    throw invalid("type", `type must be ${type}: an address keeps the type it was made with.`)
  // A billing address that names itself says nothing new.
  const billingId = type === "billing" && changes.billing_address_id === id ? undefined : changes.billing_address_id
  if (billingId) requireBilling(type, billing[0], userId)

  const next = addressFields.toUpdate(address, { ...changes, billing_address_id: billingId })
  return updateRecord(work, {
    table: addresses,
    record: address,
    next,
    subject: "address",
    name: next.fullName,
    answer: { message: "Address updated." },
    // Names the fields, not their values: an audit row outlives the user that it would describe.
    details: { userId, fields: Object.keys(changedFields(address, next)) },
    before: next.isDefault && !address.isDefault ? [noLongerDefault(db, userId, type)] : [],
  })
}
