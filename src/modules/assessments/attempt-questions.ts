import { type SQL, sql } from "drizzle-orm"
import { bankQuestions, bankQuestionVersions, quizDraws } from "../../../drizzle/schema/question-bank.ts"
import {
  type PlacedQuestion,
  type QuestionContent,
  quizAttempts,
  quizVersions,
  type VersionedQuestion,
} from "../../../drizzle/schema/quizzes.ts"
import type { Database } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import { hasTag } from "../courses/quiz-draws.queries.ts"
import { choicesOf } from "./quiz-grading.ts"

// The questions of an attempt. Its layout names what was drawn and shuffled. The texts are in the version of the quiz
// and in the versions of bank questions, which never change.

/** A question of an attempt, with its place and order. */
export type AttemptQuestion = VersionedQuestion & { order: number[] }

/** Selects the quiz version, the bank questions and the layout of attempts, for `toAttemptQuestions`. */
export const ATTEMPT_QUESTIONS = {
  layout: quizAttempts.layout,
  ownQuestions: sql`coalesce((
    select ${quizVersions.questions}
    from ${quizVersions}
    where ${quizVersions.moduleId} = ${sql`${quizAttempts.moduleId}`}
      and ${quizVersions.moduleVersion} = ${sql`${quizAttempts.moduleVersion}`}
  ), '[]')`
    .mapWith((json: string): VersionedQuestion[] => JSON.parse(json))
    .as("own_questions"),
  drawnQuestions: sql`(
    select json_group_array(json_object('id', version.question_id, 'content', json(version.content)))
    from json_each(coalesce(${sql`${quizAttempts.layout}`}, '[]')) as placed
    cross join ${bankQuestionVersions} as version
      on version.question_id = placed.value ->> '$.id' and version.version = placed.value ->> '$.version'
    where placed.value ->> '$.version' > 0
  )`
    .mapWith((json: string): { id: number; content: QuestionContent }[] => JSON.parse(json))
    .as("drawn_questions"),
  partialCredit: sql`coalesce((
    select ${quizVersions.partialCredit}
    from ${quizVersions}
    where ${quizVersions.moduleId} = ${sql`${quizAttempts.moduleId}`}
      and ${quizVersions.moduleVersion} = ${sql`${quizAttempts.moduleVersion}`}
  ), 0)`
    .mapWith(Boolean)
    .as("partial_credit"),
}

interface StoredQuestions {
  layout: PlacedQuestion[] | null
  ownQuestions: VersionedQuestion[]
  drawnQuestions: { id: number; content: QuestionContent }[]
}

/** The questions of an attempt in its order. */
export function toAttemptQuestions({ layout, ownQuestions, drawnQuestions }: StoredQuestions): AttemptQuestion[] {
  if (!layout) return ownQuestions.map((question) => ({ ...question, order: [] }))
  const own = new Map(ownQuestions.map((question) => [question.id, question]))
  const drawn = new Map(drawnQuestions.map(({ id, content }) => [id, content]))
  return layout.flatMap(({ id, version, points, order }) => {
    const content = version === 0 ? own.get(id) : drawn.get(id)
    return content ? [{ ...content, id, points, order }] : []
  })
}

interface DrawnRow {
  position: number
  count: number
  points: number
  id: number
  version: number
  content: string
}

/**
 * Selects questions at random for each draw of a quiz. Two draws of a pool may select the same question, so each
 * selects enough for all of them.
 */
export const selectDrawnQuestions = (db: Database, moduleId: number | SQL) =>
  rawStatement<DrawnRow>(
    db,
    sql`
      with wanted as (
        select position, pool_id, tag, count, points, sum(count) over (partition by pool_id) as most
        from ${quizDraws}
        where ${quizDraws.moduleId} = ${moduleId}
      ),
      candidates as (
        select wanted.position, wanted.count, wanted.points, wanted.most, own.id, own.version,
          row_number() over (partition by wanted.position order by random()) as place
        from wanted
        cross join ${bankQuestions} as own on own.pool_id = wanted.pool_id
        where ${hasTag(sql`own.tags`, sql`wanted.tag`)}
      )
      select position, count, points, id, candidates.version, content
      from candidates
      join ${bankQuestionVersions} as stored
        on stored.question_id = candidates.id and stored.version = candidates.version
      where place <= most
      order by position, place`,
  )

/** Chooses the questions of each draw, each question once. */
function chooseDrawn(rows: DrawnRow[]) {
  const rowsByDraw = Map.groupBy(rows, ({ position }) => position)
  const chosen = new Map<number, DrawnRow>()
  /** Adds a question to a draw: a free one, or that of another draw which can have another one. */
  const choose = (position: number, visited: Set<number>): boolean => {
    visited.add(position)
    const candidates = rowsByDraw.get(position) ?? []
    const isReplaceable = ({ id }: DrawnRow) => {
      const other = chosen.get(id)?.position
      return other !== undefined && !visited.has(other) && choose(other, visited)
    }
    const row = candidates.find(({ id }) => !chosen.has(id)) ?? candidates.find(isReplaceable)
    if (row) chosen.set(row.id, row)
    return row !== undefined
  }
  for (const [position, [first]] of rowsByDraw) {
    let missing = first?.count ?? 0
    while (missing > 0 && choose(position, new Set())) missing--
  }
  return rows
    .filter((row) => chosen.get(row.id) === row)
    .map(({ id, version, points, content }) => {
      const parsed: QuestionContent = JSON.parse(content)
      return { id, version, points, content: parsed }
    })
}

/** A random whole number below `limit`, without bias. */
function randomBelow(limit: number): number {
  const range = 2 ** 32
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  return word < range - (range % limit) ? word % limit : randomBelow(limit)
}

function shuffled<T>(items: readonly T[]): T[] {
  const result = [...items]
  for (let at = result.length - 1; at > 0; at--) {
    const other = randomBelow(at + 1)
    const moved = result[at] as T
    result[at] = result[other] as T
    result[other] = moved
  }
  return result
}

/** The order of a question's options. Items to order never start in the correct order. */
function drawOrder({ type, options }: QuestionContent, shuffleOptions: boolean): number[] {
  const places = options.map((_, at) => at)
  if (type === "ordering") {
    const order = shuffled(places)
    return order.some((place, at) => place !== at) ? order : [...places.slice(1), 0]
  }
  return shuffleOptions && (type === "single" || type === "multiple") ? shuffled(places) : []
}

/** Draws and shuffles the questions of a new attempt. The layout is null if the quiz leaves them as they are. */
export function layOut(
  own: VersionedQuestion[],
  drawnRows: DrawnRow[],
  { shuffleQuestions, shuffleOptions }: { shuffleQuestions: boolean; shuffleOptions: boolean },
): { layout: PlacedQuestion[] | null; questions: AttemptQuestion[] } {
  const questions = [
    ...own.map((question) => ({ ...question, version: 0 })),
    ...chooseDrawn(drawnRows).map(({ content, ...drawn }) => ({ ...content, ...drawn })),
  ].map((question) => ({ ...question, order: drawOrder(question, shuffleOptions) }))
  const placed = shuffleQuestions ? shuffled(questions) : questions
  const isPlain = !shuffleQuestions && placed.every(({ version, order }) => version === 0 && order.length === 0)
  return {
    layout: isPlain ? null : placed.map(({ id, version, points, order }) => ({ id, version, points, order })),
    questions: placed,
  }
}

const inOrder = <T>(items: T[], order: number[]): T[] =>
  order.length === 0 ? items : order.flatMap((place) => items[place] ?? [])

/** What a learner sees of a question: not which answers are correct. */
export function toLearnerQuestion(question: AttemptQuestion) {
  const { id, text, type, points, options, order } = question
  const isChoice = type === "single" || type === "multiple" || type === "truefalse"
  return {
    id,
    text,
    type,
    points,
    options: isChoice ? inOrder(options, order).map((option) => ({ id: option.id, text: option.text })) : [],
    prompts: type === "matching" ? options.map((option) => option.text) : [],
    choices: type === "ordering" ? inOrder(choicesOf(question), order) : choicesOf(question),
    blanks: question.blanks.length,
    unit: question.numeric?.unit ?? "",
    imageUrl: question.imageUrl,
    imageAlt: question.imageAlt,
  }
}

/** The correct answer of a question in the form of a learner's answer; essays have none. */
export function correctAnswer({ type, options, answers, blanks, numeric }: QuestionContent) {
  const values =
    type === "matching"
      ? options.map(({ match }) => match)
      : type === "ordering"
        ? options.map(({ text }) => text)
        : blanks.map((accepted) => accepted[0] ?? "")
  return {
    optionIds: options.filter(({ correct }) => correct).map(({ id }) => id),
    text: type === "short" ? (answers[0] ?? "") : numeric ? String(numeric.value) : "",
    values,
  }
}
