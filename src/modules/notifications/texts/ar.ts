import { ARABIC_ACCOUNT } from "./account-ar.ts"
import type { TextCatalog } from "./text-catalog.ts"

const greeting = "مرحبًا {{first_name}}،"
const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: [greeting, ...paragraphs].join("\n\n") })

export const ARABIC: TextCatalog = {
  kinds: {
    invited: text(
      "دعوة إلى {{academy}}",
      "لقد دُعيت إلى {{academy}}. اختر كلمة مرور لقبول الدعوة وتسجيل الدخول.",
      "[قبول الدعوة]({{url}})",
      "يعمل الرابط مرة واحدة وتنتهي صلاحيته بعد يومين. إذا انتهت صلاحيته فاطلب من أحد المسؤولين إعادة إرسال الدعوة.",
    ),
    enrolled: text(
      "تم تسجيلك في {{course}}",
      "تم تسجيلك في **{{course}}**.",
      "يرجى إكمالها في موعد أقصاه **{{due_date}}**.",
      "[فتح الدورة]({{url}})",
    ),
    due_soon: text(
      "موعد إكمال {{course}} هو {{due_date}}",
      "يرجى إكمال **{{course}}** في موعد أقصاه **{{due_date}}**.",
      "[فتح الدورة]({{url}})",
    ),
    overdue: text(
      "انقضى موعد إكمال {{course}}",
      "كان موعد إكمال **{{course}}** هو **{{due_date}}**. يرجى إكمالها في أقرب وقت.",
      "[فتح الدورة]({{url}})",
    ),
    class_reminder: text(
      "تبدأ {{class}} في {{starts_at}}",
      "تبدأ **{{class}}** في **{{starts_at}}**.",
      "المكان: {{location}}",
      "[عرض الحصة]({{url}})",
      "[إضافة إلى التقويم]({{calendar_url}})",
    ),
    class_changed: text(
      "طرأ تغيير على {{class}}",
      "تغيّر موعد **{{class}}**. موعد البدء الجديد: **{{starts_at}}**.",
      "المكان: {{location}}",
      "[عرض الحصة]({{url}})",
      "[إضافة إلى التقويم]({{calendar_url}})",
    ),
    class_canceled: text(
      "أُلغيت {{class}}",
      "أُلغيت **{{class}}** التي كان من المقرر أن تبدأ في {{starts_at}}.",
      "[عرض حصصي]({{url}})",
    ),
    submission_graded: text(
      "تم تصحيح {{assignment}}",
      "تم تصحيح تسليمك في **{{assignment}}** ضمن {{course}}.",
      "الدرجة: **{{grade}}**",
      "[عرض التسليم]({{url}})",
    ),
    submission_returned: text(
      "يحتاج {{assignment}} إلى تعديل",
      "أُعيد إليك تسليمك في **{{assignment}}** ضمن {{course}}. يرجى تعديله وتسليمه مرة أخرى.",
      "[عرض التسليم]({{url}})",
    ),
    course_completed: text(
      "لقد أكملت {{course}}",
      "أكملت **{{course}}** في {{completed_on}}.",
      "شهادتك جاهزة. يمكن لكل من لديه الرابط التحقق منها:\n[عرض الشهادة]({{certificate_url}})",
      "[عرض دوراتي]({{url}})",
    ),
    certificate_expiring: text(
      "تنتهي صلاحية شهادتك في {{course}} في {{expires_on}}",
      "تنتهي صلاحية شهادتك في **{{course}}** في **{{expires_on}}**. يرجى تجديدها قبل هذا التاريخ.",
      "[فتح الدورة]({{url}})",
    ),
    certificate_expired: text(
      "انتهت صلاحية شهادتك في {{course}}",
      "انتهت صلاحية شهادتك في **{{course}}** في **{{expires_on}}**.",
      "[فتح الدورة]({{url}})",
    ),
    announcement: text("{{heading}}"),
    exempted: text(
      "لا يلزمك إكمال {{course}}",
      "لا يلزمك إكمال **{{course}}** في الوقت الحالي.",
      "حتى: {{until}}",
      "السبب: {{reason}}",
    ),
    extended: text(
      "الموعد الجديد لإكمال {{course}} هو {{due_date}}",
      "لديك مزيد من الوقت لإكمال **{{course}}**: الموعد الجديد هو **{{due_date}}**.",
      "السبب: {{reason}}",
      "[فتح الدورة]({{url}})",
    ),
    message: text("{{subject}}", "أرسل إليك {{sender}} رسالة:"),
    report_ready: text(
      "تقريرك {{report}} جاهز",
      "تقرير **{{report}}**، عدد الصفوف: **{{rows}}**",
      "متأخر: **{{overdue}}**، يستحق قريبًا: **{{due_soon}}**، في الموعد: **{{on_track}}**، مكتمل: **{{completed}}**",
      "[تنزيل التقرير]({{url}})",
      "الملف متاح لمدة سبعة أيام.",
    ),
    team_overdue: text(
      "تدريب متأخر في فريقك",
      "لم يكمل **{{learner}}** دورة **{{course}}** المتأخرة.",
      "عدد التسجيلات المتأخرة في فريقك: **{{count}}**",
      "[عرض الفريق]({{url}})",
    ),
  },
  account: ARABIC_ACCOUNT,
  digest: text("إشعاراتك من {{academy}}", "إليك الجديد منذ الأمس:"),
  more: "عرض {{count}} أخرى",
  footer: {
    reason: "تصلك هذه الرسالة وفقًا لتفضيلات الإشعارات لديك.",
    unsubscribe: "إلغاء الاشتراك",
  },
}
