import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { announcements } from "../schema/announcements.ts"
import { badges } from "../schema/badges.ts"
import { courses } from "../schema/courses.ts"
import { learningPaths } from "../schema/learning-paths.ts"
import { type MediaSource, media } from "../schema/media.ts"
import { modules, quizQuestions } from "../schema/modules.ts"
import { portals } from "../schema/portals.ts"
import { bankQuestionVersions } from "../schema/question-bank.ts"
import { quizVersions } from "../schema/quizzes.ts"
import { settings } from "../schema/settings.ts"
import { type DatabaseObject, searchIndex, trigger } from "./declare.ts"

/** The path of a file, before its id. */
const PATH = "/api/media/"

interface Source {
  table: SQLiteTable
  /** Text and URLs that can contain the path of a file. */
  columns: AnySQLiteColumn[]
  /** A column with the id of a file. */
  reference?: AnySQLiteColumn
  /** The column with the id of the record; default: `id`. */
  id?: AnySQLiteColumn
  /** Rows are neither changed nor deleted, and several can belong to one record. */
  isHistory?: boolean
}

const SOURCES: Record<MediaSource, Source> = {
  module: { table: modules, columns: [modules.content, modules.videoUrl], reference: modules.mediaId },
  course: { table: courses, columns: [courses.content, courses.instructions, courses.featuredImageUrl] },
  learning_path: { table: learningPaths, columns: [learningPaths.featuredImageUrl] },
  announcement: { table: announcements, columns: [announcements.content] },
  quiz_question: { table: quizQuestions, columns: [quizQuestions.imageUrl] },
  quiz_version: { table: quizVersions, columns: [quizVersions.questions], id: quizVersions.moduleId, isHistory: true },
  bank_question: {
    table: bankQuestionVersions,
    columns: [bankQuestionVersions.content],
    id: bankQuestionVersions.questionId,
    isHistory: true,
  },
  badge: { table: badges, columns: [badges.badgeIconUrl] },
  settings: { table: settings, columns: [settings.logoUrl] },
  portal: { table: portals, columns: [portals.logoUrl] },
}

const idOf = ({ id }: Source, row: string) => `${row}.${id?.name ?? "id"}`

/** The text of a row in which files are found. */
const textOf = ({ columns, reference }: Source, row: string) =>
  [
    ...columns.map(({ name }) => `coalesce(${row}.${name}, '')`),
    ...(reference ? [`coalesce('${PATH}' || ${row}.${reference.name}, '')`] : []),
  ].join(" || ' ' || ")

/** The ids after each path in the text. An id ends with the first character that is not a digit. */
const idsIn = (text: string) => `(
    WITH RECURSIVE link (rest) AS (
      SELECT ${text}
      UNION ALL
      SELECT substr(rest, instr(rest, '${PATH}') + ${PATH.length}) FROM link WHERE instr(rest, '${PATH}') > 0
    )
    SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
  )`

/** The rows of `media_uses` that a row of a source needs. */
const usesOf = (name: string, source: Source, row: string) =>
  `SELECT '${name}' AS source, ${idOf(source, row)} AS source_id, media.id AS media_id
  FROM media WHERE media.id IN ${idsIn(textOf(source, row))}`

const mentions = (source: Source, row: string) => `instr(${textOf(source, row)}, '${PATH}') > 0`

const sourceTriggers = ([name, source]: [string, Source]): DatabaseObject[] => {
  const { table, columns, reference, isHistory } = source
  const remove = `DELETE FROM media_uses WHERE source = '${name}' AND source_id = old.id`
  const insert = isHistory ? "INSERT OR IGNORE" : "INSERT"
  const add = `${insert} INTO media_uses (source, source_id, media_id) ${usesOf(name, source, "new")}`
  const watched = reference ? [...columns, reference] : columns
  const inserted = { on: table, after: "insert", if: mentions(source, "new") } as const
  if (isHistory) return [trigger(`media_uses_${name}_inserted`, inserted, add)]
  return [
    trigger(`media_uses_${name}_inserted`, inserted, add),
    trigger(
      `media_uses_${name}_updated`,
      {
        on: table,
        after: "update",
        of: watched,
        if: `(${mentions(source, "old")} OR ${mentions(source, "new")})
          AND ${textOf(source, "old")} <> ${textOf(source, "new")}`,
      },
      remove,
      add,
    ),
    trigger(`media_uses_${name}_deleted`, { on: table, after: "delete", if: mentions(source, "old") }, remove),
  ]
}

/** A union of queries of the same columns. D1 allows five terms in a compound query, so larger unions are nested. */
const unionAll = (queries: string[]): string =>
  queries.length <= 5
    ? queries.join(" UNION ALL ")
    : `SELECT * FROM (${unionAll(queries.slice(0, 5))}) UNION ALL SELECT * FROM (${unionAll(queries.slice(5))})`

/** A query of all rows that `media_uses` must have. */
export const ALL_MEDIA_USES = unionAll(
  Object.entries(SOURCES).map(
    ([name, source]) => `SELECT DISTINCT '${name}' AS source, ${idOf(source, "own")} AS source_id, media.id AS media_id
    FROM ${getTableName(source.table)} AS own JOIN media ON media.id IN ${idsIn(textOf(source, "own"))}`,
  ),
)

export const mediaTriggers = [
  ...searchIndex(media, {
    byFixed: [media.kind],
    inserted: [
      `INSERT INTO counters (key, value) VALUES ('media_bytes:all', new.bytes)
      ON CONFLICT (key) DO UPDATE SET value = value + excluded.value`,
    ],
    deleted: ["UPDATE counters SET value = value - old.bytes WHERE key = 'media_bytes:all'"],
  }),
  ...Object.entries(SOURCES).flatMap(sourceTriggers),
]
