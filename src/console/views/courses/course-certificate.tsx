import { Award } from "lucide-preact"
import { useEffect, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { loadWithMessages, t } from "../../messages/messages.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Select, toOptions } from "../../ui/form.tsx"
import type { CourseTabProps } from "./course-tab.ts"

const loadDesigns = async () => {
  const [{ DesignPicker }, { createTemplate, designLabel }] = await Promise.all([
    loadWithMessages("certificates", import("../certificates/design-picker.tsx")),
    import("../certificates/designs.ts"),
  ])
  return { DesignPicker, createTemplate, designLabel }
}
type Designs = Awaited<ReturnType<typeof loadDesigns>>

/** The certificate that a course issues to who completes it: a ready design or a template, in one click. */
export function CourseCertificate({ record: course, version, refetch }: CourseTabProps) {
  const templates = useRead("/api/certificate_templates/lookup")
  const [designs, setDesigns] = useState<Designs>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    loadDesigns().then(setDesigns, setError)
  }, [])
  const change = useChange({
    call: (certificateTemplateId: number) =>
      refetchOnConflict(
        () =>
          api.PUT("/api/course/{id}", {
            params: { path: { id: course.id } },
            body: { certificateTemplateId },
            headers: { "If-Match": version },
          }),
        refetch,
      ),
    invalidates: ["/api/course/{id}", "/api/certificate_templates"],
    successMessage: "",
  })
  const run = async (task: () => Promise<unknown>) => {
    setIsBusy(true)
    setError(undefined)
    await task().catch(setError)
    setIsBusy(false)
  }
  return (
    <section class="card" aria-labelledby="certificate">
      <h2 id="certificate" class="with-icon">
        <Award size={20} aria-hidden /> {t("courses:certificate")}
      </h2>
      <ErrorMessage error={error} />
      <Loaded query={templates}>
        {(list) => {
          const template = list.find(({ id }) => id === course.certificateTemplateId)
          if (template)
            return (
              <>
                <p>{t("courses:certificate.issued", { name: template.name })}</p>
                <p class="actions">
                  <a class="button" href={`/console/certificates/${template.id}`}>
                    {t("courses:certificate.edit")}
                  </a>
                  <button type="button" disabled={isBusy} onClick={() => run(() => change.mutateAsync(0))}>
                    {t("courses:certificate.stop")}
                  </button>
                </p>
              </>
            )
          return (
            <>
              <p class="quiet">{t("courses:certificate.about")}</p>
              {designs && (
                <designs.DesignPicker
                  label={t("courses:certificate.designs")}
                  isBusy={isBusy}
                  onPick={(design) =>
                    run(async () => {
                      // The template of an earlier course with this design.
                      const existing = list.find(({ name }) => name === designs.designLabel(design))
                      await change.mutateAsync(existing?.id ?? (await designs.createTemplate(design)))
                    })
                  }
                />
              )}
              {designs && list.length > 0 && (
                <Select
                  key={course.certificateTemplateId}
                  name="certificateTemplateId"
                  label={t("courses:certificate.own")}
                  none={t("select.none")}
                  options={toOptions(list)}
                  onChange={(id) => id && run(() => change.mutateAsync(Number(id)))}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
