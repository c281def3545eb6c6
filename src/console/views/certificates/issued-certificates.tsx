import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { download } from "../../ui/csv.ts"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Problem } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { momentOf, Time } from "../../ui/time.tsx"
import { useAddress } from "../../ui/url-state.ts"

type Certificate = RecordOf<"/api/user-certificates/{id}">
type Registration = RecordOf<"/api/course/reports/course-detailed">

const CHANGED = ["/api/user-certificates", "/api/course/reports"]

/** A day as an input of type date has it. */
const dayOf = (text: string) => momentOf(text)?.toISOString().slice(0, 10) ?? ""

function Dates({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const [expires, setExpires] = useState("keep")
  const change = useChange({
    call: (body: { rowId: number; newIssueDate: string; newExpiryDate?: string | null }) =>
      api.PUT("/api/update-certificate-dates", { body }),
    changes: CHANGED,
  })
  return (
    <Dialog title={t("certificates:dates")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          await change.mutateAsync({
            rowId: certificate.id,
            newIssueDate: values.text("newIssueDate"),
            ...(expires === "never" && { newExpiryDate: null }),
            ...(expires === "on" && { newExpiryDate: values.text("newExpiryDate") }),
          })
          onClose()
        }}
      >
        <p>{certificate.courseName}</p>
        <TextField
          name="newIssueDate"
          label={t("certificates:issue-date")}
          type="date"
          defaultValue={dayOf(certificate.issueDate)}
          required
        />
        <fieldset class="choices">
          <legend>{t("certificates:expiry")}</legend>
          {["keep", "never", "on"].map((one) => (
            <div class="check" key={one}>
              <input
                type="radio"
                id={`expiry-${one}`}
                name="expires"
                checked={expires === one}
                onChange={() => setExpires(one)}
              />
              <label for={`expiry-${one}`}>{t(`certificates:expiry.${one}`)}</label>
            </div>
          ))}
        </fieldset>
        {expires === "on" && (
          <TextField name="newExpiryDate" label={t("certificates:expiry-date")} type="date" required />
        )}
      </Form>
    </Dialog>
  )
}

/** One user's certificates. */
function CertificatesOf({ userId }: { userId: number }) {
  const [open, setOpen] = useState<{ act: "dates" | "delete"; certificate: Certificate }>()
  const [failure, setFailure] = useState<unknown>()
  const revoke = useChange({
    call: (id: number) =>
      api.PUT("/api/user/{id}/delete-certificate", { params: { path: { id: userId } }, body: { id } }),
    changes: CHANGED,
  })
  const save = async ({ id, courseName }: Certificate) => {
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
      key: "acts",
      title: t("certificates:actions"),
      render: (certificate) => (
        <div class="actions">
          <button type="button" onClick={() => save(certificate)}>
            {t("download")}
          </button>
          <button type="button" onClick={() => setOpen({ act: "dates", certificate })}>
            {t("certificates:dates")}
          </button>
          <button type="button" class="danger" onClick={() => setOpen({ act: "delete", certificate })}>
            {t("certificates:revoke")}
          </button>
        </div>
      ),
    },
  ]
  const close = () => setOpen(undefined)
  return (
    <>
      <Problem error={failure} />
      <Listing
        path="/api/user-certificates/{id}"
        names={{ id: userId }}
        caption={t("certificates:certificates")}
        columns={columns}
        keyOf={({ id }) => id}
        filters={[
          { name: "courseName", label: t("certificates:course") },
          {
            name: "return_type",
            label: t("certificates:validity"),
            options: ["active", "expired"].map((value) => ({ value, label: t(`certificates:validity.${value}`) })),
            plain: true,
          },
        ]}
      />
      {open?.act === "dates" && <Dates certificate={open.certificate} onClose={close} />}
      {open?.act === "delete" && (
        <Confirm
          title={t("certificates:revoke.title")}
          confirm={t("certificates:revoke")}
          onConfirm={() => revoke.mutateAsync(open.certificate.id)}
          onClose={close}
        >
          <p>{t("certificates:revoke.text", { course: open.certificate.courseName })}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </>
  )
}

/** The learners who completed a course, and who of them has its certificate. */
function IssueFor({ courseId }: { courseId: number }) {
  const issue = useChange({
    call: (registrationIds: number[]) => api.POST("/api/course/assignCertificate", { body: { registrationIds } }),
    changes: CHANGED,
  })
  const [failure, setFailure] = useState<unknown>()
  const columns: Column<Registration>[] = [
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
      <Problem error={failure} />
      <Listing
        path="/api/course/reports/course-detailed"
        prefix="learners-"
        query={{ course_id: courseId, search_param: { status: ["Completed"] } }}
        caption={t("certificates:completed")}
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

/** Certificates as they were given: those of a user, and a course's for those who completed it. */
export default function IssuedCertificates() {
  const { query, change } = useAddress()
  const [user, course] = [Number(query.user), Number(query.course)]
  const person = useRead("/api/user/{id}", { params: { path: { id: user } } }, { enabled: user > 0 })
  const taught = useRead("/api/course/{id}", { params: { path: { id: course } } }, { enabled: course > 0 })
  return (
    <Page
      title={t("certificates:issued")}
      within={{ href: "/console/certificates", label: t("certificates:templates") }}
    >
      <section class="card" aria-labelledby="of-user">
        <h2 id="of-user">{t("certificates:certificates.of-user")}</h2>
        <Combobox
          name="user"
          label={t("certificates:user")}
          path="/api/users/tabularlist"
          by="nameOrEmail"
          pick={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
          value={
            user > 0 && person.data ? { id: user, name: `${person.data.firstName} ${person.data.lastName}` } : undefined
          }
          onPick={(picked) => change({ user: picked?.id })}
        />
        {user > 0 && <CertificatesOf key={user} userId={user} />}
      </section>
      <section class="card" aria-labelledby="of-course">
        <h2 id="of-course">{t("certificates:issue.title")}</h2>
        <p class="quiet">{t("certificates:issue.hint")}</p>
        <Combobox
          name="course"
          label={t("certificates:course")}
          path="/api/courses/tabularlist"
          by="courseName"
          pick={({ id, name }) => ({ id, name })}
          value={course > 0 && taught.data ? { id: course, name: taught.data.name } : undefined}
          onPick={(picked) => change({ course: picked?.id })}
        />
        {course > 0 && <IssueFor key={course} courseId={course} />}
      </section>
    </Page>
  )
}
