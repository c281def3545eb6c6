import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { Ordered } from "../../ui/sortable-list.tsx"
import { PictureField } from "./image-field.tsx"
import { choicesOf, PATH_TYPES } from "./labels.ts"

/** A learning path as the API takes it. */
const pathBody = (values: Values, courses: readonly Choice[]) => ({
  name: values.text("name"),
  type: values.text("type") === "private" ? ("private" as const) : ("public" as const),
  featuredImageUrl: values.text("featuredImageUrl"),
  course_ids: courses.map(({ id }) => id),
})
export type PathBody = ReturnType<typeof pathBody>

interface PathFormProps {
  /** Left out: a new one. */
  path?: Schemas["LearningPath"]
  submit: string
  onSubmit: (body: PathBody) => Promise<unknown>
  /** Buttons beside the one that sends. */
  more?: ComponentChildren
}

/** What a learning path is called, who sees it, and its courses in order. */
export function PathForm({ path, submit, onSubmit, more }: PathFormProps) {
  const [courses, setCourses] = useState<readonly Choice[]>(path?.courses ?? [])
  return (
    <Form submit={submit} onSubmit={(values) => onSubmit(pathBody(values, courses))} more={more}>
      <TextField name="name" label={t("courses:name")} required maxLength={100} defaultValue={path?.name} />
      <Select
        name="type"
        label={t("courses:path.visibility")}
        value={path?.type ?? "public"}
        options={choicesOf("path", PATH_TYPES)}
      />
      <PictureField value={path?.featuredImageUrl ?? ""} />
      <Picker
        name="course_ids"
        label={t("courses:courses.title")}
        path="/api/courses/tabularlist"
        query={(courseName) => ({ search_param: { courseName }, order_by: { colName: "name" } })}
        choiceOf={({ id, name }) => ({ id, name })}
        chosen={courses}
        onChoose={setCourses}
      />
      <section aria-labelledby="path-order">
        <h2 id="path-order">{t("courses:path.order")}</h2>
        {courses.length === 0 && <p class="empty">{t("courses:path.empty")}</p>}
        <Ordered
          label={t("courses:path.order")}
          items={courses}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          onOrder={setCourses}
        >
          {({ name }) => name}
        </Ordered>
      </section>
    </Form>
  )
}
