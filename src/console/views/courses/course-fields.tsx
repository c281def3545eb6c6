import type { Schemas } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { ExternalIdField } from "../../ui/external-id-field.tsx"
import { CheckBox, Choices, Select, TextField, toOptions, type Values } from "../../ui/form.tsx"
import { RichTextField } from "../../ui/rich-text-field.tsx"
import { ImageField } from "./image-field.tsx"
import { optionsFor } from "./labels.ts"

type Course = Schemas["Course"]

/** @param course omit for a new course */
export function CourseFields({ course }: { course?: Course }) {
  const categories = useRead("/api/categories/course/lookup")
  const templates = useRead("/api/certificate_templates/lookup")
  return (
    <Loaded query={categories}>
      {(courseCategories) => (
        <Loaded query={templates}>
          {(certificateTemplates) => (
            <Fields course={course} categories={courseCategories} templates={certificateTemplates} />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

type Named = readonly { id: number; name: string }[]

function Fields({
  course,
  categories,
  templates,
}: {
  course: Course | undefined
  categories: Named
  templates: Named
}) {
  return (
    <>
      <TextField name="name" label={t("courses:name")} required maxLength={100} defaultValue={course?.name} />
      <TextField
        name="slug"
        label={t("courses:slug")}
        hint={t("courses:slug.hint")}
        maxLength={100}
        dir="ltr"
        defaultValue={course?.slug}
      />
      <ExternalIdField record={course} />
      <Select
        name="status"
        label={t("courses:status")}
        value={course?.status ?? "draft"}
        options={optionsFor("status", ["draft", "publish"])}
      />
      <RichTextField name="content" label={t("courses:course.content")} value={course?.content ?? ""} />
      <RichTextField name="instructions" label={t("courses:course.instructions")} value={course?.instructions ?? ""} />
      <ImageField value={course?.featuredImageUrl ?? ""} />
      <Choices
        name="categoryIds"
        label={t("courses:categories")}
        options={toOptions(categories)}
        values={course?.categoryIds ?? []}
      />
      <Select
        name="certificateTemplateId"
        label={t("courses:course.certificate")}
        none={t("select.none")}
        value={course?.certificateTemplateId ?? ""}
        options={toOptions(templates)}
      />
      <TextField
        name="courseCredit"
        label={t("courses:course.credit")}
        type="number"
        min={0}
        max={10_000}
        step="any"
        defaultValue={course?.courseCredit ?? 0}
      />
      <TextField
        name="estimatedMinutes"
        label={t("courses:course.minutes")}
        type="number"
        min={0}
        max={1_000_000}
        defaultValue={course?.estimatedMinutes ?? 0}
      />
      <TextField
        name="expiresAfterDays"
        label={t("courses:course.expires")}
        hint={t("courses:course.expires.hint")}
        type="number"
        min={0}
        max={36_500}
        defaultValue={course?.expiresAfterDays || ""}
      />
      <TextField
        name="totalSeats"
        label={t("courses:course.seats")}
        hint={t("courses:unlimited.hint")}
        type="number"
        min={0}
        max={10_000_000}
        defaultValue={course?.totalSeats || ""}
      />
      <CheckBox
        name="selfEnroll"
        label={t("courses:course.self-enroll")}
        defaultChecked={course?.selfEnroll ?? false}
      />
      <TextField
        name="enrollmentKey"
        label={t("courses:course.key")}
        hint={t("courses:course.key.hint")}
        maxLength={100}
        autoComplete="off"
        defaultValue={course?.enrollmentKey ?? ""}
      />
      <CheckBox
        name="enableCourseRating"
        label={t("courses:course.rating")}
        defaultChecked={course?.enableCourseRating ?? false}
      />
    </>
  )
}

/** The request body to create or change a course, without its modules and author. */
export const toCourseBody = (values: Values) => ({
  name: values.text("name"),
  slug: values.text("slug"),
  externalId: values.text("externalId"),
  status: values.text("status") === "publish" ? ("publish" as const) : ("draft" as const),
  content: values.text("content"),
  instructions: values.text("instructions"),
  featuredImageUrl: values.text("featuredImageUrl"),
  categoryIds: values.all("categoryIds").map(Number),
  // 0: no template.
  certificateTemplateId: values.number("certificateTemplateId") ?? 0,
  courseCredit: values.number("courseCredit") ?? 0,
  estimatedMinutes: values.number("estimatedMinutes") ?? 0,
  expiresAfterDays: values.number("expiresAfterDays") ?? 0,
  totalSeats: values.number("totalSeats") ?? 0,
  selfEnroll: values.checked("selfEnroll"),
  enrollmentKey: values.text("enrollmentKey"),
  enableCourseRating: values.checked("enableCourseRating"),
})
