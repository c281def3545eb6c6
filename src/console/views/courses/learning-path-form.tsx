import type { ComponentChildren } from "preact"
import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { ImageField } from "../../ui/media/image-field.tsx"
import { Picker } from "../../ui/picker.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import { useStoredState } from "../../ui/stored-state.ts"
import { optionsFor, PATH_TYPES } from "./labels.ts"

const toLearningPathBody = (values: Values, courses: readonly Choice[]) => ({
  name: values.text("name"),
  type: values.text("type") === "private" ? ("private" as const) : ("public" as const),
  featuredImageUrl: values.text("featuredImageUrl"),
  course_ids: courses.map(({ id }) => id),
})
export type LearningPathBody = ReturnType<typeof toLearningPathBody>

interface LearningPathFormProps {
  /** Omit for a new learning path. */
  path?: Schemas["LearningPath"]
  submit: string
  onSubmit: (body: LearningPathBody) => Promise<unknown>
  /** Further buttons. */
  more?: ComponentChildren
}

const idsOf = (courses: readonly Choice[]) => courses.map(({ id }) => id).join()

export function LearningPathForm({ path, submit, onSubmit, more }: LearningPathFormProps) {
  const [courses, setCourses] = useStoredState<readonly Choice[]>(path?.courses ?? [], idsOf)
  return (
    <Form submit={submit} onSubmit={(values) => onSubmit(toLearningPathBody(values, courses))} more={more}>
      <TextField name="name" label={t("courses:name")} required maxLength={100} defaultValue={path?.name} />
      <Select
        name="type"
        label={t("courses:path.visibility")}
        value={path?.type ?? "public"}
        options={optionsFor("path", PATH_TYPES)}
      />
      <ImageField
        name="featuredImageUrl"
        label={t("courses:course.image")}
        hint={t("courses:course.image.hint")}
        value={path?.featuredImageUrl ?? null}
        isCourse
      />
      <Picker
        name="course_ids"
        label={t("courses:courses.title")}
        path="/api/courses/tabularlist"
        query={(courseName) => ({ search_param: { courseName }, order_by: { colName: "name" } })}
        toChoice={({ id, name }) => ({ id, name })}
        selected={courses}
        onSelect={setCourses}
      />
      <section aria-labelledby="path-order">
        <h2 id="path-order">{t("courses:path.order")}</h2>
        {courses.length === 0 && <p class="empty">{t("courses:path.empty")}</p>}
        <SortableList
          label={t("courses:path.order")}
          items={courses}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          onReorder={setCourses}
        >
          {({ name }) => name}
        </SortableList>
      </section>
    </Form>
  )
}
