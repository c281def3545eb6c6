import { asc, eq, type SQL, sql } from "drizzle-orm"
import { classMaterials } from "../../../drizzle/schema/classes.ts"
import type { Database } from "../../db/client.ts"
import { idList, rowCount } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { isAvailableToClass } from "./class-material.queries.ts"

// The study material of a class: uploaded files in the order of the class.

/** A file of a class, with a name if it is renamed. */
export interface MaterialInput {
  media_id: number
  name?: string | undefined
}

export const mediaIds = (material: MaterialInput[] | undefined) => [
  ...new Set((material ?? []).map(({ media_id }) => media_id)),
]

/** Replaces the material of a class, in the given order and with the given names. */
export function setMaterial(work: UnitOfWork, classId: number, material: MaterialInput[]): Statement[] {
  const media = mediaIds(material)
  const names = Object.fromEntries(material.flatMap(({ media_id, name }) => (name ? [[media_id, name]] : [])))
  return [
    work.guard(
      eq(
        rowCount(classMaterials, sql`${classMaterials.id} in ${idList(media)} and ${isAvailableToClass(classId)}`),
        media.length,
      ),
    ),
    work.db
      .update(classMaterials)
      .set({ classId: null })
      .where(sql`${classMaterials.classId} = ${classId} and ${classMaterials.id} not in ${idList(media)}`),
    work.db
      .update(classMaterials)
      .set({
        classId,
        position: sql`(select key from json_each(${JSON.stringify(media)}) where value = ${classMaterials.id})`,
        name: sql`coalesce(
          (select value from json_each(${JSON.stringify(names)}) where key = ${classMaterials.id}),
          ${classMaterials.name}
        )`,
      })
      .where(sql`${classMaterials.id} in ${idList(media)}`),
  ]
}

/** Selects the files of a class in order. */
export const selectMaterial = (db: Database, classId: number | SQL) =>
  db
    .select({ id: classMaterials.id, name: classMaterials.name, extension: classMaterials.extension })
    .from(classMaterials)
    .where(sql`${classMaterials.classId} = ${classId}`)
    .orderBy(asc(classMaterials.position))

export function isSameMaterial(material: MaterialInput[], current: { id: number; name: string }[]) {
  const namesById = new Map(current.map(({ id, name }) => [id, name]))
  return (
    JSON.stringify(mediaIds(material)) === JSON.stringify(current.map(({ id }) => id)) &&
    material.every(({ media_id, name }) => !name || namesById.get(media_id) === name)
  )
}
