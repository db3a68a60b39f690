/**
 * The icons in use, and no others (each is some 200 bytes in the browser; imported one by one,
 * because the whole set would be loaded by the server otherwise). In the kit's controls they take the size of
 * the text beside them. Give them `aria-hidden="true"`: the control's own name speaks.
 */
export { default as ArrowLeft } from 'lucide-react/icons/arrow-left';
export { default as ArrowRight } from 'lucide-react/icons/arrow-right';
export { default as Camera } from 'lucide-react/icons/camera';
export { default as ChartColumn } from 'lucide-react/icons/chart-column';
export { default as Check } from 'lucide-react/icons/check';
export { default as ChevronDown } from 'lucide-react/icons/chevron-down';
export { default as ChevronLeft } from 'lucide-react/icons/chevron-left';
export { default as ChevronRight } from 'lucide-react/icons/chevron-right';
export { default as ChevronUp } from 'lucide-react/icons/chevron-up';
export { default as CircleAlert } from 'lucide-react/icons/circle-alert';
export { default as CircleCheck } from 'lucide-react/icons/circle-check';
export { default as CloudOff } from 'lucide-react/icons/cloud-off';
export { default as DollarSign } from 'lucide-react/icons/dollar-sign';
export { default as Download } from 'lucide-react/icons/download';
export { default as Ellipsis } from 'lucide-react/icons/ellipsis';
export { default as ExternalLink } from 'lucide-react/icons/external-link';
export { default as Eye } from 'lucide-react/icons/eye';
export { default as EyeOff } from 'lucide-react/icons/eye-off';
export { default as Heart } from 'lucide-react/icons/heart';
export { default as ImageOff } from 'lucide-react/icons/image-off';
export { default as ImagePlus } from 'lucide-react/icons/image-plus';
export { default as Images } from 'lucide-react/icons/images';
export { default as Info } from 'lucide-react/icons/info';
export { default as LayoutDashboard } from 'lucide-react/icons/layout-dashboard';
export { default as Link2 } from 'lucide-react/icons/link-2';
export { default as Lock } from 'lucide-react/icons/lock';
export { default as LogIn } from 'lucide-react/icons/log-in';
export { default as LogOut } from 'lucide-react/icons/log-out';
export { default as Menu } from 'lucide-react/icons/menu';
export { default as Pause } from 'lucide-react/icons/pause';
export { default as Pencil } from 'lucide-react/icons/pencil';
export { default as Play } from 'lucide-react/icons/play';
export { default as Plus } from 'lucide-react/icons/plus';
export { default as RotateCw } from 'lucide-react/icons/rotate-cw';
export { default as Rocket } from 'lucide-react/icons/rocket';
export { default as Scale } from 'lucide-react/icons/scale';
export { default as Search } from 'lucide-react/icons/search';
export { default as SearchX } from 'lucide-react/icons/search-x';
export { default as ServerCrash } from 'lucide-react/icons/server-crash';
export { default as Settings } from 'lucide-react/icons/settings-2';
export { default as Share } from 'lucide-react/icons/share-2';
export { default as ShoppingBag } from 'lucide-react/icons/shopping-bag';
export { default as Smartphone } from 'lucide-react/icons/smartphone';
export { default as Star } from 'lucide-react/icons/star';
export { default as Tag } from 'lucide-react/icons/tag';
export { default as Timer } from 'lucide-react/icons/timer';
export { default as Trash } from 'lucide-react/icons/trash-2';
export { default as TriangleAlert } from 'lucide-react/icons/triangle-alert';
export { default as Trophy } from 'lucide-react/icons/trophy';
export { default as Upload } from 'lucide-react/icons/upload';
export { default as Users } from 'lucide-react/icons/users';
export { default as X } from 'lucide-react/icons/x';
export { default as ZoomIn } from 'lucide-react/icons/zoom-in';
