import { eq, sql } from "drizzle-orm"
import { bankQuestions, bankQuestionVersions, questionPools } from "../../../drizzle/schema/question-bank.ts"
import type { QuestionContent } from "../../../drizzle/schema/quizzes.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  deleteRecords,
  guardUnchanged,
  readRecord,
  requireExisting,
  requireVersion,
  updateChanged,
  updateRecord,
} from "../../db/records.ts"
import { searchFilter, searchText } from "../../db/search.ts"
import { rawStatement } from "../../db/select.ts"
import { counter, idList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { conflict, notFound } from "../../lib/errors.ts"
import type { BankQuestionChanges, NewBankQuestion, NewPool, PoolChanges } from "./question-bank.schemas.ts"
import { toStoredContent, toStoredOptions } from "./question-content.ts"
import { bankQuestionColumns, poolColumns, poolFields } from "./question-pool-fields.ts"
import { isDrawnFrom, questionPoolDeletion } from "./question-pools.background.ts"
import { hasTag } from "./quiz-draws.queries.ts"

/** The most questions of a pool, because each attempt reads the ids of all of them. */
const MAX_POOL_QUESTIONS = 1000

export async function createPool(work: UnitOfWork, input: NewPool) {
  const row = poolFields.toInsert(input)
  return work.create("question_pools", {
    statements: (id) => [
      work.db.insert(questionPools).values({ id, ...row, searchText: poolFields.searchText(row), createdAt: now() }),
      work.audit("created", "question pool", { id, name: row.name }, row),
    ],
    answer: (id) => ({ id, message: "Question pool created." }),
  })
}

/** Returns a pool with its tags. @throws 404 */
export async function getPool(db: Database, id: number) {
  const [rows, tags] = await db.batch([
    db
      .select({ ...poolColumns.fields, version: questionPools.version })
      .from(questionPools)
      .where(eq(questionPools.id, id)),
    rawStatement<{ tag: string; questions: number }>(
      db,
      sql`
        select own.value as tag, count(*) as questions
        from ${bankQuestions} as question cross join json_each(question.tags) as own
        where question.pool_id = ${id}
        group by 1
        order by 1`,
    ),
  ])
  const [pool] = rows
  if (!pool) throw notFound("question pool")
  return { ...pool, tags }
}

/** @throws 404, 412 */
export async function updatePool(work: UnitOfWork, id: number, changes: PoolChanges, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(questionPools).where(eq(questionPools.id, id))])
  const pool = requireVersion(rows, "question pool", expectedVersion)
  const next = poolFields.toUpdate(pool, changes)
  return updateRecord(work, {
    table: questionPools,
    record: pool,
    next: { ...next, searchText: poolFields.searchText(next) },
    subject: "question pool",
    name: next.name,
    answer: { message: "Question pool updated." },
    details: next,
  })
}

export const deletePools = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: questionPools,
    subject: "question pool",
    name: questionPools.name,
    ids,
    undeletable: { when: isDrawnFrom(), because: "quizzes draw from them" },
    cascade: questionPoolDeletion,
  })

/** One page of pools. */
export const listPools = (db: Database, query: PageQuery & { search_param: { name?: string | undefined } }) =>
  readPage(
    db,
    {
      table: questionPools,
      key: questionPools.id,
      fields: poolColumns.fields,
      sort: poolColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: query.search_param.name ? [searchFilter(questionPools, query.search_param.name)] : [],
      total: counter("question_pools"),
    },
    query,
  )

type QuestionInput = Omit<NewBankQuestion, "poolId">

/** The content of a version. Options that are sent with a known id keep it. */
function toContent(input: QuestionInput, before?: QuestionContent): QuestionContent {
  const known = new Set(before?.options.map((option) => option.id))
  let last = Math.max(0, ...known)
  const options = toStoredOptions(input).map(({ id, ...option }) => ({
    id: id !== undefined && known.delete(id) ? id : ++last,
    ...option,
  }))
  return { text: input.text, type: input.type, options, ...toStoredContent(input) }
}

/** The name of a question in the audit log. */
const auditName = (text: string) => (text.length > 100 ? `${text.slice(0, 99)}…` : text)

const toHead = ({ text, type, tags }: QuestionInput) => ({ text, type, tags, searchText: searchText(text, ...tags) })

const selectPoolSize = (db: Database, id: number) =>
  db
    .select({ id: questionPools.id, count: questionPools.questionCount })
    .from(questionPools)
    .where(eq(questionPools.id, id))

/** @throws 409 if the pool is full; 422 for an unknown pool */
function requireSpace(poolId: number, pools: { id: number; count: number }[]) {
  requireExisting("poolId", [poolId], pools)
  if (firstRow(pools).count >= MAX_POOL_QUESTIONS)
    throw conflict("conflict", `A pool has at most ${MAX_POOL_QUESTIONS} questions.`)
}

/** @throws 409 if the pool is full; 422 for an unknown pool */
export async function createBankQuestion(work: UnitOfWork, { poolId, ...input }: NewBankQuestion) {
  const { db } = work
  const [ids, pools] = await work.read([work.nextIds("quiz_questions"), selectPoolSize(db, poolId)])
  requireSpace(poolId, pools)
  const id = firstRow(ids).last
  return work.commit(
    [
      db.insert(bankQuestions).values({ id, poolId, ...toHead(input), createdAt: now() }),
      db.insert(bankQuestionVersions).values({ questionId: id, version: 1, content: toContent(input) }),
      work.audit("created", "question", { id, name: auditName(input.text) }, { poolId, type: input.type }),
    ],
    { id, message: "Question created." },
  )
}

/** @throws 404 */
export async function getBankQuestion(db: Database, id: number) {
  const { content, ...head } = await readRecord(
    db,
    {
      table: bankQuestions,
      fields: {
        id: bankQuestions.id,
        poolId: bankQuestions.poolId,
        tags: bankQuestions.tags,
        content: sql<QuestionContent>`(
          select ${bankQuestionVersions.content}
          from ${bankQuestionVersions}
          where ${bankQuestionVersions.questionId} = ${bankQuestions.id}
            and ${bankQuestionVersions.version} = ${bankQuestions.version}
        )`
          .mapWith((json: string): QuestionContent => JSON.parse(json))
          .as("content"),
      },
      subject: "question",
    },
    id,
  )
  return { ...head, content }
}

/** Replaces a question. Attempts keep the version that they have. @throws 404, 412; as in create */
export async function updateBankQuestion(
  work: UnitOfWork,
  id: number,
  { poolId: newPoolId, ...input }: BankQuestionChanges,
  expectedVersion?: number,
) {
  const { db } = work
  const [rows, versions, pools] = await work.read([
    db.select().from(bankQuestions).where(eq(bankQuestions.id, id)),
    db
      .select({ content: bankQuestionVersions.content })
      .from(bankQuestionVersions)
      .where(eq(bankQuestionVersions.questionId, id))
      .orderBy(sql`${bankQuestionVersions.version} desc`)
      .limit(1),
    selectPoolSize(db, newPoolId ?? 0),
  ])
  const question = requireVersion(rows, "question", expectedVersion)
  const isMoved = newPoolId !== undefined && newPoolId !== question.poolId
  if (isMoved) requireSpace(newPoolId, pools)
  const before = firstRow(versions).content
  const content = toContent(input, before)
  const poolId = newPoolId ?? question.poolId
  const answer = { message: "Question updated." }
  const hasSameTags = JSON.stringify(input.tags) === JSON.stringify(question.tags)
  if (JSON.stringify(content) === JSON.stringify(before) && hasSameTags && !isMoved) return work.commit([], answer)
  return work.commit(
    [
      guardUnchanged(bankQuestions, question),
      updateChanged(db, bankQuestions, question, { ...toHead(input), poolId }),
      ...(isMoved
        ? [
            db
              .update(questionPools)
              .set({ questionCount: sql`${questionPools.questionCount} + iif(${questionPools.id} = ${poolId}, 1, -1)` })
              .where(sql`${questionPools.id} in ${idList([question.poolId, poolId])}`),
          ]
        : []),
      db.insert(bankQuestionVersions).values({ questionId: id, version: question.version + 1, content }),
      work.audit("updated", "question", { id, name: auditName(input.text) }, { poolId, type: input.type }),
    ],
    answer,
  )
}

export const deleteBankQuestions = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: bankQuestions,
    subject: "question",
    name: sql`substr(${bankQuestions.text}, 1, 100)`,
    ids,
  })

type QuestionsQuery = PageQuery & {
  search_param: {
    poolId?: number | undefined
    text?: string | undefined
    tag?: string | undefined
    type?: string | undefined
  }
}

/** One page of questions. */
export function listBankQuestions(db: Database, query: QuestionsQuery) {
  const { poolId, text, tag, type } = query.search_param
  return readPage(
    db,
    {
      table: bankQuestions,
      key: bankQuestions.id,
      fields: bankQuestionColumns.fields,
      sort: bankQuestionColumns.sort,
      defaultSort: { colName: "id", direction: "desc" },
      scope: [],
      search: [
        ...(poolId
          ? [
              {
                test: eq(bankQuestions.poolId, poolId),
                ids: sql`
                  select ${bankQuestions.id} as id
                  from ${bankQuestions}
                  where ${bankQuestions.poolId} = ${poolId}`,
              },
            ]
          : []),
        ...(text ? [searchFilter(bankQuestions, text)] : []),
        ...(tag ? [{ test: hasTag(sql`${bankQuestions.tags}`, sql`${tag}`) }] : []),
        ...(type ? [{ test: sql`${bankQuestions.type} = ${type}` }] : []),
      ],
      total: counter("bank_questions"),
    },
    query,
  )
}
