type GalleryReportAreaProps = { galleryId: number; affiliateId: number };

/** What a gallery did: sales, donations, likes, votes and visits (specification A§2, the area "reports" of the editor). */
export function GalleryReportArea(_props: GalleryReportAreaProps) {
  return <section aria-label="Reports" />;
}
