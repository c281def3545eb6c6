import { asc, eq, type SQL, sql } from "drizzle-orm"
import { bankQuestions, questionPools, quizDraws } from "../../../drizzle/schema/question-bank.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rawStatement } from "../../db/select.ts"
import { rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { invalid } from "../../lib/errors.ts"
import type { Draw } from "./modules.schemas.ts"

/** The points of what a quiz draws. */
export const totalDrawPoints = (draws: Pick<Draw, "count" | "points">[]) =>
  draws.reduce((sum, { count, points }) => sum + count * points, 0)

/** Selects what a quiz draws, in order. */
export const selectDraws = (db: Database, moduleId: number | SQL) =>
  db
    .select({ poolId: quizDraws.poolId, tag: quizDraws.tag, count: quizDraws.count, points: quizDraws.points })
    .from(quizDraws)
    .where(eq(quizDraws.moduleId, moduleId))
    .orderBy(asc(quizDraws.position))

/** The condition that a question has a tag, or that the tag is empty. */
export const hasTag = (tags: SQL, tag: SQL) => sql`(${tag} = '' or exists (
  select 1 from json_each(${tags}) as own where own.value = ${tag}
))`

const WANTED_POOL = sql`wanted.value ->> '$.poolId'`

/** Selects how many questions each draw can draw from, and the size of its pool; null: there is no such pool. */
export const selectDrawSources = (db: Database, draws: Draw[]) =>
  rawStatement<{ matching: number; size: number | null }>(
    db,
    sql`
      select (
          select count(*) from ${bankQuestions}
          where ${bankQuestions.poolId} = ${WANTED_POOL}
            and ${hasTag(sql`${bankQuestions.tags}`, sql`wanted.value ->> '$.tag'`)}
        ) as matching,
        (
          select ${questionPools.questionCount} from ${questionPools}
          where ${questionPools.id} = ${WANTED_POOL}
        ) as size
      from ${rowList(draws)} as wanted
      order by wanted.key`,
  )

const countDrawn = (draws: Draw[]) => draws.reduce((sum, { count }) => sum + count, 0)

/** @throws 422 for unknown pools, and pools with fewer questions than the quiz draws */
export function requireSources(draws: Draw[], sources: { matching: number; size: number | null }[]) {
  for (const [index, { poolId, tag, count }] of draws.entries()) {
    const { matching = 0, size = null } = sources[index] ?? {}
    const field = `draws.${index}`
    if (size === null) throw invalid(`${field}.poolId`, `${field}.poolId refers to a record that does not exist.`)
    if (matching < count)
      throw invalid(`${field}.count`, `${field}.count must be ${matching} or less: the pool has no more questions.`)
    const drawsOfPool = draws.filter((draw) => draw.poolId === poolId)
    const ofPool = countDrawn(drawsOfPool)
    if (ofPool > size)
      throw invalid(`${field}.count`, `${field}.count is too large: the quiz draws ${ofPool} of ${size} questions.`)
    const ofTag = countDrawn(drawsOfPool.filter((draw) => draw.tag === tag))
    if (ofTag > matching)
      throw invalid(
        `${field}.count`,
        `${field}.count is too large: the quiz draws ${ofTag} of ${matching} questions with this tag.`,
      )
  }
}

/** Replaces what a quiz draws. */
export const replaceDraws = (db: Database, moduleId: number, draws: Draw[]): Statement[] => [
  db.delete(quizDraws).where(eq(quizDraws.moduleId, moduleId)),
  insertFrom(
    db,
    quizDraws,
    {
      moduleId,
      position: sql`key + 1`,
      poolId: jsonField("poolId"),
      tag: jsonField("tag"),
      count: jsonField("count"),
      points: jsonField("points"),
    },
    sql`from ${rowList(draws)} where true`,
  ),
]
