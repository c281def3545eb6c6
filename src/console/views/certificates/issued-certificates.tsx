import { Award } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { download } from "../../ui/csv.ts"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { parseDate, Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"

type Certificate = RecordOf<"/api/user-certificates/{id}">
type Enrollment = RecordOf<"/api/course/reports/course-detailed">

const CERTIFICATE_QUERIES = ["/api/user-certificates", "/api/course/reports"]

/** For an input of type date. */
const toInputDate = (text: string) => parseDate(text)?.toISOString().slice(0, 10) ?? ""

function DatesDialog({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const [expiry, setExpiry] = useState("keep")
  const change = useChange({
    call: (body: { rowId: number; newIssueDate: string; newExpiryDate?: string | null }) =>
      api.PUT("/api/update-certificate-dates", { body }),
    invalidates: CERTIFICATE_QUERIES,
  })
  return (
    <Dialog title={t("certificates:dates")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          await change.mutateAsync({
            rowId: certificate.id,
            newIssueDate: values.text("newIssueDate"),
            ...(expiry === "never" && { newExpiryDate: null }),
            ...(expiry === "on" && { newExpiryDate: values.text("newExpiryDate") }),
          })
          onClose()
        }}
      >
        <p>{certificate.courseName}</p>
        <TextField
          name="newIssueDate"
          label={t("certificates:issue-date")}
          type="date"
          defaultValue={toInputDate(certificate.issueDate)}
          required
        />
        <fieldset class="choices">
          <legend>{t("certificates:expiry")}</legend>
          {["keep", "never", "on"].map((option) => (
            <div class="check" key={option}>
              <input
                type="radio"
                id={`expiry-${option}`}
                name="expires"
                checked={expiry === option}
                onChange={() => setExpiry(option)}
              />
              <label for={`expiry-${option}`}>{t(`certificates:expiry.${option}`)}</label>
            </div>
          ))}
        </fieldset>
        {expiry === "on" && (
          <TextField name="newExpiryDate" label={t("certificates:expiry-date")} type="date" required />
        )}
      </Form>
    </Dialog>
  )
}

/** The certificates of a user. */
function UserCertificates({ userId }: { userId: number }) {
  const [open, setOpen] = useState<{ type: "dates" | "revoke"; certificate: Certificate }>()
  const [failure, setFailure] = useState<unknown>()
  const revoke = useChange({
    call: (id: number) =>
      api.PUT("/api/user/{id}/delete-certificate", { params: { path: { id: userId } }, body: { id } }),
    invalidates: CERTIFICATE_QUERIES,
  })
  const downloadPdf = async ({ id, courseName }: Certificate) => {
    setFailure(undefined)
    try {
      const init = { params: { path: { id } }, parseAs: "blob" } as const
      download((await api.GET("/api/user-certificate/{id}/download", init)).data, `${courseName}.pdf`)
    } catch (error) {
      setFailure(error)
    }
  }
  const columns: Column<Certificate>[] = [
    {
      key: "course",
      title: t("certificates:course"),
      sort: "courseName",
      render: ({ courseName }) => courseName,
    },
    {
      key: "issued",
      title: t("certificates:issue-date"),
      sort: "issueDate",
      render: ({ issueDate }) => <Time value={issueDate} />,
    },
    {
      key: "template",
      title: t("certificates:template"),
      render: ({ templateId }) => <a href={`/console/certificates/${templateId}`}>{t("certificates:template.open")}</a>,
    },
    {
      key: "actions",
      title: t("certificates:actions"),
      render: (certificate) => (
        <div class="actions">
          <button type="button" onClick={() => downloadPdf(certificate)}>
            {t("download")}
          </button>
          <button type="button" onClick={() => setOpen({ type: "dates", certificate })}>
            {t("certificates:dates")}
          </button>
          <button type="button" class="danger" onClick={() => setOpen({ type: "revoke", certificate })}>
            {t("certificates:revoke")}
          </button>
        </div>
      ),
    },
  ]
  const close = () => setOpen(undefined)
  return (
    <>
      <ErrorMessage error={failure} />
      <Listing
        path="/api/user-certificates/{id}"
        pathParams={{ id: userId }}
        empty={{
          icon: Award,
          text: t("certificates:certificates.none"),
          action: { label: t("certificates:open-learner"), href: `/users/${userId}?tab=enrollments` },
        }}
        caption={t("certificates:certificates")}
        columns={columns}
        keyOf={({ id }) => id}
        filters={[
          { name: "courseName", label: t("certificates:course") },
          {
            name: "return_type",
            label: t("certificates:validity"),
            options: ["active", "expired"].map((value) => ({ value, label: t(`certificates:validity.${value}`) })),
            isQueryParam: true,
          },
        ]}
      />
      {open?.type === "dates" && <DatesDialog certificate={open.certificate} onClose={close} />}
      {open?.type === "revoke" && (
        <ConfirmDialog
          title={t("certificates:revoke.title")}
          confirm={t("certificates:revoke")}
          onConfirm={() => revoke.mutateAsync(open.certificate.id)}
          onClose={close}
        >
          <p>{t("certificates:revoke.text", { course: open.certificate.courseName })}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Learners who completed a course, with certificates to issue. */
function IssueForCourse({ courseId }: { courseId: number }) {
  const issue = useChange({
    call: (registrationIds: number[]) => api.POST("/api/course/assignCertificate", { body: { registrationIds } }),
    invalidates: CERTIFICATE_QUERIES,
  })
  const [failure, setFailure] = useState<unknown>()
  const columns: Column<Enrollment>[] = [
    {
      key: "name",
      title: t("certificates:learner"),
      sort: "first_name",
      render: ({ user_id, first_name, last_name }) => (
        <a href={`/console/certificates/issued?user=${user_id}`}>{`${first_name} ${last_name}`}</a>
      ),
    },
    { key: "email", title: t("certificates:email"), sort: "email", render: ({ email }) => email },
    {
      key: "completed",
      title: t("status.completed"),
      sort: "completed_on",
      render: ({ completed_on }) => <Time value={completed_on} />,
    },
    {
      key: "issued",
      title: t("certificates:certificate"),
      render: ({ certifcate_issued }) => (certifcate_issued ? t("yes") : t("no")),
    },
  ]
  return (
    <>
      <ErrorMessage error={failure} />
      <Listing
        path="/api/course/reports/course-detailed"
        prefix="learners-"
        query={{ course_id: courseId, search_param: { status: ["Completed"] } }}
        caption={t("certificates:completed")}
        empty={{
          icon: Award,
          text: t("certificates:completed.none"),
          action: { label: t("certificates:open-course"), href: `/courses/${courseId}?tab=learners` },
        }}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ first_name, last_name }) => `${first_name} ${last_name}`}
        filters={[{ name: "nameOrEmail", label: t("certificates:learner") }]}
        actions={(rows, clear) => (
          <button
            type="button"
            class="primary"
            disabled={issue.isPending}
            onClick={async () => {
              setFailure(undefined)
              try {
                await issue.mutateAsync(rows.map(({ id }) => id))
                clear()
              } catch (error) {
                setFailure(error)
              }
            }}
          >
            {t("certificates:issue")}
          </button>
        )}
      />
    </>
  )
}

/** Issued certificates by user, and issuing by course. */
export default function IssuedCertificates() {
  const { query, change } = useUrlState()
  const [userId, courseId] = [Number(query.user), Number(query.course)]
  const user = useRead("/api/user/{id}", { params: { path: { id: userId } } }, { enabled: userId > 0 })
  const course = useRead("/api/course/{id}", { params: { path: { id: courseId } } }, { enabled: courseId > 0 })
  return (
    <Page
      title={t("certificates:issued")}
      parent={{ href: "/console/certificates", label: t("certificates:templates") }}
    >
      <section class="card" aria-labelledby="of-user">
        <h2 id="of-user">{t("certificates:certificates.of-user")}</h2>
        <Combobox
          name="user"
          label={t("certificates:user")}
          path="/api/users/tabularlist"
          searchBy="nameOrEmail"
          toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
          value={
            userId > 0 && user.data ? { id: userId, name: `${user.data.firstName} ${user.data.lastName}` } : undefined
          }
          onSelect={(selected) => change({ user: selected?.id, page: undefined })}
        />
        {userId > 0 && <UserCertificates key={userId} userId={userId} />}
      </section>
      <section class="card" aria-labelledby="of-course">
        <h2 id="of-course">{t("certificates:issue.title")}</h2>
        <p class="quiet">{t("certificates:issue.hint")}</p>
        <Combobox
          name="course"
          label={t("certificates:course")}
          path="/api/courses/tabularlist"
          searchBy="courseName"
          toChoice={({ id, name }) => ({ id, name })}
          value={courseId > 0 && course.data ? { id: courseId, name: course.data.name } : undefined}
          onSelect={(selected) => change({ course: selected?.id, "learners-page": undefined })}
        />
        {courseId > 0 && <IssueForCourse key={courseId} courseId={courseId} />}
      </section>
    </Page>
  )
}
