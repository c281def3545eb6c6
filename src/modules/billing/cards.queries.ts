import { and, desc, eq, type SQL, sql } from "drizzle-orm"
import { cards } from "../../../drizzle/schema/cards.ts"
import { subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import { users } from "../../../drizzle/schema/users.ts"
import {
  canSeePayments,
  guardUserExists,
  type OwnerParams,
  rowsInScope,
  selectVisibleUser,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { counter, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { ApiError, invalid, notFound } from "../../lib/errors.ts"
import { cardColumns, cardFields, savedCardColumns } from "./card-fields.ts"
import type { CardChanges, NewCard } from "./cards.schemas.ts"
import { requireOwner } from "./owner.ts"

const nameOf = (card: { cardType: string; last4: string }) => `${card.cardType} ending in ${card.last4}`

/** Whether an active subscription uses the card. */
const isInUse = (): SQL =>
  rowExists(
    subscriptions,
    sql`${subscriptions.cardId} = ${cards.id}
      and ${subscriptions.status} = 'Active'
      and (${subscriptions.endAt} = 0 or ${subscriptions.endAt} > ${now()})`,
  )

/** @throws 422 for an unknown user */
export async function createCard(work: UnitOfWork, input: NewCard) {
  const { db } = work
  const [newIds, owners] = await work.read([work.nextIds("cards"), selectVisibleUser(db, work.caller, input.userId)])
  requireOwner(owners)
  const id = firstRow(newIds).last
  const card = cardFields.toInsert(input)
  return work.commit(
    [
      guardUserExists(work, card.userId),
      db.insert(cards).values({ ...card, id, createdAt: now() }),
      work.audit("created", "card", { id, name: nameOf(card) }, card),
    ],
    { id, message: "Card created." },
  )
}

/**
 * Lists a user's cards, newest first; defaults to the caller. @throws 404 for users whose cards the caller cannot see
 */
export async function listSavedCards(db: Database, caller: Caller, userId = caller.id) {
  if (userId === null) throw invalid("userId", "userId is required without a session.")
  const [owners, rows] = await db.batch([
    selectVisibleUser(db, caller, userId, canSeePayments(caller, users.id)),
    db
      .select(savedCardColumns.fields)
      .from(cards)
      .where(eq(cards.userId, userId))
      .orderBy(desc(cards.createdAt), desc(cards.id)),
  ])
  if (owners.length === 0) throw notFound("user")
  return rows
}

/** @throws 404 */
export const getCard = (db: Database, caller: Caller, id: number) =>
  readRecord(
    db,
    { table: cards, fields: cardColumns.fields, subject: "card" },
    id,
    canSeePayments(caller, cards.userId),
  )

/** Updates the provided fields. @throws 404, 412 */
export async function updateCard(work: UnitOfWork, id: number, changes: CardChanges, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(cards).where(eq(cards.id, id))])
  const card = requireVersion(rows, "card", expectedVersion)
  const next = cardFields.toUpdate(card, changes)
  const answer = { message: "Card updated." }
  return updateRecord(work, { table: cards, record: card, next, subject: "card", name: nameOf(next), answer })
}

/** Deletes cards except those that an active subscription uses. */
export const deleteCards = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: cards,
    subject: "card",
    name: sql`${cards.cardType} || ' ending in ' || ${cards.last4}`,
    ids,
    undeletable: { when: isInUse(), because: "active subscriptions use them" },
  })

/**
 * Deletes one card, with the responses that the contract specifies.
 * @throws 404; 400 if an active subscription uses the card, or if it could not be deleted just now
 */
export async function deleteCard(work: UnitOfWork, id: number) {
  const { db, caller } = work
  const [rows] = await work.read([
    db
      .select({
        userId: cards.userId,
        last4: cards.last4,
        cardType: cards.cardType,
        isInUse: sql<number>`${isInUse()}`.as("is_in_use"),
      })
      .from(cards)
      .where(and(eq(cards.id, id), canSeePayments(caller, cards.userId))),
  ])
  const [card] = rows
  if (!card) throw notFound("card")
  if (card.isInUse)
    throw new ApiError("card_in_use", "The card cannot be deleted because it is linked to an active subscription.")
  const isDeletable = rowExists(cards, sql`${cards.id} = ${id} and not ${isInUse()}`)
  try {
    return await work.commit(
      [
        work.guard(isDeletable),
        work.audit("deleted", "card", { id, name: nameOf(card) }, { userId: card.userId }),
        db.delete(cards).where(eq(cards.id, id)),
      ],
      { status: "success" as const, message: "Card deleted." },
    )
  } catch (error) {
    // The card was deleted or put to use since it was read: the next call returns which.
    if (error instanceof ApiError && error.status === 409)
      throw new ApiError("card_not_deleted", "The card could not be deleted. Please try again later.")
    throw error
  }
}

interface CardSearch {
  userId?: number | undefined
  last4?: string | undefined
}

export async function listCards(
  db: Database,
  caller: Caller,
  query: PageQuery & OwnerParams & { search_param: CardSearch },
) {
  const { userId, last4 } = query.search_param
  const scope = rowsInScope(
    caller,
    { table: cards, key: cards.id, userId: cards.userId, kind: "money", total: counter("cards") },
    query,
  )
  return readPage(
    db,
    {
      table: cards,
      key: cards.id,
      fields: cardColumns.fields,
      sort: cardColumns.sort,
      narrowedBy: "user_id or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      ...scope,
      search: [
        ...(userId ? [{ test: eq(cards.userId, userId) }] : []),
        ...(last4 ? [{ test: eq(cards.last4, last4) }] : []),
      ],
    },
    query,
  )
}
