import type { ComponentChildren } from "preact"
import type { Schemas } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { ExternalIdField } from "../../ui/external-id-field.tsx"
import { CheckBox, Choices, TextField, toOptions, type Values } from "../../ui/form.tsx"
import { ImageField } from "../../ui/media/image-field.tsx"
import { RichTextField } from "../../ui/rich-text-field.tsx"

type Course = Schemas["Course"]

/** A section of the settings, with its heading. */
function Part({ name, children }: { name: "about" | "access" | "details"; children: ComponentChildren }) {
  return (
    <section class="form-part" aria-labelledby={`part-${name}`}>
      <h2 id={`part-${name}`}>{t(`courses:course.part.${name}`)}</h2>
      {children}
    </section>
  )
}

/** The settings of a course. Publishing and its certificate are on its page. */
export function CourseFields({ course }: { course: Course }) {
  const categories = useRead("/api/categories/course/lookup")
  return (
    <Loaded query={categories}>
      {(courseCategories) => (
        <>
          <AboutFields course={course} />
          <AccessFields course={course} />
          <DetailFields course={course} categories={courseCategories} />
        </>
      )}
    </Loaded>
  )
}

const AboutFields = ({ course }: { course: Course }) => (
  <Part name="about">
    <TextField name="name" label={t("courses:name")} required maxLength={100} defaultValue={course.name} />
    <RichTextField name="content" label={t("courses:course.content")} value={course.content} />
    <RichTextField name="instructions" label={t("courses:course.instructions")} value={course.instructions} />
    <ImageField
      name="featuredImageUrl"
      label={t("courses:course.image")}
      hint={t("courses:course.image.hint")}
      value={course.featuredImageUrl}
      isCourse
    />
  </Part>
)

const AccessFields = ({ course }: { course: Course }) => (
  <Part name="access">
    <CheckBox name="selfEnroll" label={t("courses:course.self-enroll")} defaultChecked={course.selfEnroll} />
    <TextField
      name="enrollmentKey"
      label={t("courses:course.key")}
      hint={t("courses:course.key.hint")}
      maxLength={100}
      autoComplete="off"
      defaultValue={course.enrollmentKey ?? ""}
    />
    <div class="field-row">
      <TextField
        name="totalSeats"
        label={t("courses:course.seats")}
        hint={t("courses:unlimited.hint")}
        type="number"
        min={0}
        max={10_000_000}
        defaultValue={course.totalSeats || ""}
      />
      <TextField
        name="expiresAfterDays"
        label={t("courses:course.expires")}
        hint={t("courses:course.expires.hint")}
        type="number"
        min={0}
        max={36_500}
        defaultValue={course.expiresAfterDays || ""}
      />
    </div>
  </Part>
)

interface DetailFieldsProps {
  course: Course
  categories: readonly { id: number; name: string }[]
}

const DetailFields = ({ course, categories }: DetailFieldsProps) => (
  <Part name="details">
    {categories.length > 0 && (
      <Choices
        name="categoryIds"
        label={t("courses:categories")}
        options={toOptions(categories)}
        values={course.categoryIds}
      />
    )}
    <div class="field-row">
      <TextField
        name="estimatedMinutes"
        label={t("courses:course.minutes")}
        type="number"
        min={0}
        max={1_000_000}
        defaultValue={course.estimatedMinutes}
      />
      <TextField
        name="courseCredit"
        label={t("courses:course.credit")}
        type="number"
        min={0}
        max={10_000}
        step="any"
        defaultValue={course.courseCredit}
      />
    </div>
    <CheckBox name="enableCourseRating" label={t("courses:course.rating")} defaultChecked={course.enableCourseRating} />
    <TextField
      name="slug"
      label={t("courses:slug")}
      hint={t("courses:slug.hint")}
      maxLength={100}
      dir="ltr"
      defaultValue={course.slug}
    />
    <ExternalIdField record={course} />
  </Part>
)

/** The request body of the settings. */
export const toCourseBody = (values: Values) => ({
  name: values.text("name"),
  slug: values.text("slug"),
  externalId: values.text("externalId"),
  content: values.text("content"),
  instructions: values.text("instructions"),
  featuredImageUrl: values.text("featuredImageUrl"),
  categoryIds: values.all("categoryIds").map(Number),
  courseCredit: values.number("courseCredit") ?? 0,
  estimatedMinutes: values.number("estimatedMinutes") ?? 0,
  expiresAfterDays: values.number("expiresAfterDays") ?? 0,
  totalSeats: values.number("totalSeats") ?? 0,
  selfEnroll: values.checked("selfEnroll"),
  enrollmentKey: values.text("enrollmentKey"),
  enableCourseRating: values.checked("enableCourseRating"),
})
